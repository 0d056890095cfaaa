import EchoText
import Foundation
import Testing

@testable import DocumentReaders

@Suite("Fonts that do not say which letters they show")
struct UnknownLettersTests {
    private let reader = LocalDocumentReader()

    private static let english = """
        The lantern of the harbour is lit every evening by the keeper of the light, who climbs the stairs slowly and \
        writes the hour into his book while the wind blows from the sea and nobody else is awake in the whole town
        """

    /// Words in lines, each glyph 6 points wide; the spaces between them are gaps without a glyph.
    private static func written(_ words: [[Int]], from top: Int = 700) -> String {
        var (x, y) = (54, top)
        return words.map { glyphs in
            if x + 6 * glyphs.count > 560 { (x, y) = (54, y - 14) }
            defer { x += 6 * glyphs.count + 4 }
            let codes = glyphs.map { code in
                let digits = String(code, radix: 16)
                return String(repeating: "0", count: 4 - digits.count) + digits
            }
            return "BT /S 10 Tf \(x) \(y) Td <\(codes.joined())> Tj ET\n"
        }
        .joined()
    }

    private static func words(_ text: String, _ glyph: (Unicode.Scalar) -> Int) -> [[Int]] {
        text.split(separator: " ").map { $0.unicodeScalars.map(glyph) }
    }

    /// Numbers from 33 on, in the order in which letters come first.
    private static func words(_ text: String, inOrderOf first: String) -> [[Int]] {
        var known: [Unicode.Scalar] = []
        for scalar in first.unicodeScalars where scalar != " " && !known.contains(scalar) { known.append(scalar) }
        return words(text) { 33 + (known.firstIndex(of: $0) ?? 0) }
    }

    private static func page(_ content: String) -> WrittenPDF {
        WrittenPDF(content: content, fonts: "/S 100 0 R", further: PDFAddedTextTests.silentFont)
    }

    private static func label(_ text: String, y: Int = 740) -> String { "BT /F 10 Tf 54 \(y) Td (\(text)) Tj ET\n" }

    private static let russian = "Скоро наступит ночь и мы пойдём домой по тихой улице к морю где горит огонь маяка"

    /// Numbers of glyphs as a Japanese font has them, which are letters of many scripts in Unicode.
    private static let japanese: [[Int]] = (0..<12).map { word in
        (0..<8).map { letter in
            let number = (word * 8 + letter) * 1_009
            return 0x4B0 + number % 0x1800
        }
    }

    private static let scripts: [(String, [[Int]])] = [
        ("Latin, in the order of TrueType fonts", words(english) { Int($0.value) - 29 }),
        ("Latin, in the order of Adobe's fonts", words(english) { Int($0.value) - 31 }),
        ("Latin, in the order in which letters come first", words(english, inOrderOf: english)),
        ("Cyrillic", words(russian) { Int($0.value) - 0x1D6 }),
        ("Japanese", japanese),
    ]

    @Test(arguments: scripts)
    func `are noticed though their numbers look like letters`(script: (name: String, words: [[Int]])) async throws {
        let document = try await reader.read(Self.page(Self.label("A title") + Self.written(script.words)).file)
        #expect(document.notices == [.unknownLetters([1])], "\(script.name)")
    }

    @Test func `are noticed by their spaces, and by signs that are no letters`() async throws {
        let spaced = Self.written([Self.english.utf8.prefix(74).map { Int($0) - 29 }], from: 600)
        #expect(try await reader.read(Self.page(spaced).file).notices == [.unknownLetters([1])])
        let beside = try await reader.read(Self.page(Self.label("A line in another font.", y: 700) + spaced).file)
        #expect(beside.notices == [.unknownLetters([1])])
        #expect(beside.text.hasPrefix("A line in another font."))
        let counted = Self.page(Self.written([(0..<80).map { $0 % 25 + 1 }]))
        await #expect(throws: DocumentError.unknownLetters) { try await reader.read(counted.file) }
    }

    @Test func `are noticed on a page from right to left`() async throws {
        let hebrew = Self.words("הים הרוח מגדלור ספינה לילה בוקר דייג חוף גלים שמש כוכב נמל מפרש") { Int($0.value) }
        let clear = Self.page(Self.written(hebrew))
        #expect(try await reader.read(clear.file).notices.isEmpty)
        let mixed = Self.page(Self.written(hebrew) + Self.written([(1...20).map { $0 }], from: 500))
        #expect(try await reader.read(mixed.file).notices == [.unknownLetters([1])])
    }

    @Test func `leave a page readable that has a few of their signs, which is reported`() async throws {
        let lines = (0..<20).map {
            Self.label("A line of words in a font that names them, number \($0)", y: 700 - 14 * $0)
        }
        let sign = Self.page(lines.joined() + "BT /S 10 Tf 400 700 Td <0005> Tj ET\n")
        #expect(try await reader.read(sign.file).notices == [.unknownSigns([1])])
        // Bullets of lists often use such a font, and their loss does not matter.
        let bullets = (0..<20).map { "BT /S 10 Tf 40 \(700 - 14 * $0) Td <F0B7> Tj ET\n" }
        let list = try await reader.read(Self.page(zip(bullets, lines).map { $0 + $1 }.joined()).file)
        #expect(list.notices.allSatisfy { $0.code != "document.unknown-signs" })
    }

    /// A font with letters by a list that is no part of the file, for which poppler needs a package of its own.
    private static let listedFont = [
        "<</Type/Font/Subtype/Type0/BaseFont/Listed/Encoding/UniJIS-UTF16-H/DescendantFonts[101 0 R]>>",
        "<</Type/Font/Subtype/CIDFontType0/BaseFont/Listed/CIDSystemInfo"
            + "<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>>>",
    ]

    @Test func `are read by the lists of this machine, or reported where it has none`() async throws {
        let letters = "BT /S 10 Tf 54 600 Td <591C304C8FD13065> Tj ET\n"
        let mixed = WrittenPDF(
            content: Self.label("A line in another font.") + letters,
            fonts: "/S 100 0 R",
            further: Self.listedFont
        )
        let document = try await reader.read(mixed.file)
        #expect(document.text.contains("夜が近づ") != (document.notices == [.unknownSigns([1])]))
        let alone = WrittenPDF(content: letters, fonts: "/S 100 0 R", further: Self.listedFont)
        do {
            #expect(try await reader.read(alone.file).text == "夜が近づ")
        } catch let error as DocumentError {
            #expect(error == .unknownLetters)
        }
    }

    /// Pieces of texts that look odd and are right.
    private static let oddities: [String] = [
        "GATTACA CCTGA ACGTTAGCCATGACGT ", "HHLLHXHLLHXZ LHLH ", "let a = [1, (2)]; if (a[0] != b) { c(); } ",
        "x = (a + b) / {c * d} - [e^2]; y < 3, z > 4: 100% & more! ", "3F9A 00BC E7D1 55AA FFFE 1C2D ",
        "1.50 12,300 (4.2) 99% ", "Chapter one ........................ 12 ", "XVIII MDCLXVI MCMXLIV XLII LXXXVIII ",
        "ąa ęa łęż źa ść ńa ",
    ]

    /// The beginning of the Universal Declaration of Human Rights, or words like it, in small letters or capitals.
    private static let languages: [String] = [
        "KÕIK INIMESED SÜNNIVAD VABADENA JA VÕRDSETENA OMA VÄÄRIKUSELT JA ÕIGUSTELT NEILE ON ANTUD MÕISTUS JA SÜDAMETUNNISTUS",
        "WSZYSCY LUDZIE RODZĄ SIĘ WOLNI I RÓWNI POD WZGLĘDEM SWEJ GODNOŚCI I SWYCH PRAW SĄ ONI OBDARZENI ROZUMEM I SUMIENIEM",
        "VŠICHNI LIDÉ RODÍ SE SVOBODNÍ A SOBĚ ROVNÍ CO DO DŮSTOJNOSTI A PRÁV JSOU NADÁNI ROZUMEM A SVĚDOMÍM A MAJÍ SPOLU JEDNAT",
        "GENIR PAWB YN RHYDD AC YN GYDRADD Â'I GILYDD MEWN URDDAS A HAWLIAU FE'U CYNYSGAEDDIR Â RHESWM A CHYDWYBOD",
        "TẤT CẢ MỌI NGƯỜI SINH RA ĐỀU ĐƯỢC TỰ DO VÀ BÌNH ĐẲNG VỀ NHÂN PHẨM VÀ QUYỀN MỌI CON NGƯỜI ĐỀU ĐƯỢC TẠO HOÁ BAN CHO",
        "WATU WOTE WAMEZALIWA HURU HADHI NA HAKI ZAO NI SAWA WOTE WAMEJALIWA AKILI NA DHAMIRI HIVYO YAPASA WATENDEANE",
        "BÜTÜN İNSANLAR HÜR HAYSİYET VE HAKLAR BAKIMINDAN EŞİT DOĞARLAR AKIL VE VİCDANA SAHİPTİRLER VE BİRBİRLERİNE KARŞI",
        "Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом и совестью.",
        "Барлық адамдар тумысынан азат және қадір-қасиеті мен құқықтары тең болып дүниеге келеді. Адамдарға ақыл-парасат",
        "Ὅλοι οἱ ἄνθρωποι γεννιοῦνται ἐλεύθεροι καὶ ἴσοι στὴν ἀξιοπρέπεια καὶ τὰ δικαιώματα. Εἶναι προικισμένοι",
        "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। उन्हें बुद्धि और अन्तरात्मा",
        "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে। তাঁদের বিবেক এবং বুদ্ধি আছে।",
        "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์",
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられており、互いに同胞の精神",
        "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다.",
        "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。人人有資格享受本宣言所載的一切權利和自由",
        "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء",
        "ðə ˈlæntɚn əv ðə ˈhɑɹbɚ ɪz lɪt ˈɛvɹi ˈivnɪŋ baɪ ðə ˈkipɚ əv ðə laɪt hu ˈklaɪmz ðə stɛɹz ˈsloʊli ænd ɹaɪts ði aʊɚ ˈɪntu hɪz bʊk",
    ]

    private static let texts: [String] = {
        var texts = [english, english.uppercased()]
        texts += languages
        texts += oddities.map { String(repeating: $0, count: 12) }
        return texts
    }()

    @Test(arguments: texts)
    func `are not taken for fonts with words of any language`(text: String) {
        var letters = FontLetters()
        for scalar in text.unicodeScalars { letters.add(scalar, isBeside: true) }
        #expect(letters.count >= FontLetters.fewest && !letters.areGarbled)
    }
}
