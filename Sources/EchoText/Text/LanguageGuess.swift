/// Recognizes the language of a text by its script and its most common words.
///
/// It answers only where it is sure: most letters of a script that one language has, or at least three common words of
/// one language and at most half as many of any other. A word counts once, however often it stands there.
package enum LanguageGuess {
    /// As many words, or letters of another script, are looked at.
    private static let longestLook = 400
    private static let fewestWords = 3

    /// The two-letter code of the language that `text` is in, or `nil` where it is not clear.
    package static func language(of text: some StringProtocol) -> String? {
        if let language = languageOfScript(text) { return language }
        var counts = [Int](repeating: 0, count: languages.count)
        var seen = Set<String>()
        for word in text.split(maxSplits: longestLook, whereSeparator: { !$0.isLetter && $0 != "'" && $0 != "’" }) {
            // “a. a. O.” has no words.
            let isLetter = word.utf8.count == 1 && word.endIndex < text.endIndex && text[word.endIndex] == "."
            guard word.utf8.count <= 16, !isLetter else { continue }
            let word = word.lowercased()
            guard let known = words[word], seen.insert(word).inserted else { continue }
            for language in known { counts[language] += 1 }
        }
        guard let best = counts.indices.max(by: { counts[$0] < counts[$1] }), counts[best] >= fewestWords else {
            return nil
        }
        let second = counts.indices.filter { $0 != best }.map { counts[$0] }.max() ?? 0
        return counts[best] >= 2 * second ? languages[best] : nil
    }

    /// Whether the language of texts like those in `tag` is known.
    package static func knows(_ tag: String) -> Bool { languages.contains(LanguageTag.language(of: tag)) }

    // MARK: Scripts

    private static func languageOfScript(_ text: some StringProtocol) -> String? {
        var counts: [Script: Int] = [:]
        var letters = 0
        var special = Set<Unicode.Scalar>()
        for scalar in text.unicodeScalars {
            guard scalar.value >= 0x41, let script = Script(scalar) else { continue }
            counts[script, default: 0] += 1
            if script.isTelling(scalar) { special.insert(scalar) }
            letters += 1
            if letters == longestLook { break }
        }
        guard letters >= 4, let (script, count) = counts.max(by: { $0.value < $1.value }), script != .latin else {
            return nil
        }
        let japanese = counts[.kana, default: 0]
        if script == .han || script == .kana {
            return (count + japanese) * 10 < letters * 6 ? nil : japanese * 20 > letters ? "ja" : "zh"
        }
        return count * 10 < letters * 6 ? nil : script.language(special)
    }

    private enum Script: Hashable {
        case arabic, armenian, bengali, cyrillic, devanagari, georgian, greek, han, hangul, hebrew, kana, latin, tamil
        case telugu, thai

        init?(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F: self = .latin
            case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
            case 0x400...0x52F: self = .cyrillic
            case 0x531...0x58F: self = .armenian
            case 0x5D0...0x5EA: self = .hebrew
            case 0x620...0x64A, 0x671...0x6D3: self = .arabic
            case 0x904...0x94D: self = .devanagari
            case 0x985...0x9CD: self = .bengali
            case 0xB85...0xBCD: self = .tamil
            case 0xC05...0xC4D: self = .telugu
            case 0xE01...0xE4E: self = .thai
            case 0x10A0...0x10FF: self = .georgian
            case 0x1100...0x11FF, 0xAC00...0xD7A3: self = .hangul
            case 0x3041...0x30FF: self = .kana
            case 0x3400...0x4DBF, 0x4E00...0x9FFF: self = .han
            default: return nil
            }
        }

        /// Whether a letter distinguishes languages of the script.
        func isTelling(_ scalar: Unicode.Scalar) -> Bool {
            switch self {
            case .cyrillic: "ґєіїўђјљњџыэё".unicodeScalars.contains(scalar)
            case .arabic: "پچژگیکےٹڈ".unicodeScalars.contains(scalar)
            default: false
            }
        }

        func language(_ special: Set<Unicode.Scalar>) -> String? {
            let has = { (letters: String) in letters.unicodeScalars.contains(where: special.contains) }
            return switch self {
            case .arabic: has("ےٹڈ") ? "ur" : has("پچژگ") ? "fa" : "ar"
            case .armenian: "hy"
            case .bengali: "bn"
            case .cyrillic: has("ў") ? "be" : has("ґєї") ? "uk" : has("ђјљњџ") ? "sr" : has("ыэё") ? "ru" : nil
            case .devanagari: "hi"
            case .georgian: "ka"
            case .greek: "el"
            case .hangul: "ko"
            case .hebrew: "he"
            case .tamil: "ta"
            case .telugu: "te"
            case .thai: "th"
            case .han, .kana, .latin: nil
            }
        }
    }

    // MARK: Words

    private static let languages = common.map { $0.language }

    /// The numbers of the languages in which a word is common.
    private static let words: [String: [Int]] = {
        var words: [String: [Int]] = [:]
        for (number, list) in common.enumerated() {
            for word in list.words.split(separator: " ") { words[String(word), default: []].append(number) }
        }
        return words
    }()

    /// Common words of each language, each once.
    private static let common: [(language: String, words: String)] = [
        (
            "en",
            """
            the of and to a in is it was that he she for on are with as his her they at be this have from or had by but not \
            what all were we when your can there use an each which their if will up other about out many then them \
            these so some would make him has two more could people my than first been who its now down did get into only \
            after where you i said upon chapter very our should before no yes
            """
        ),
        (
            "de",
            """
            der die das und ist nicht ein eine einen einem einer zu den dem des von mit sich auf für im am um es er sie wir \
            ich ihr war hat haben hatte wurde werden wird auch als an nach wie bei aus nur noch über so dass daß aber oder \
            wenn kann mehr sein seine ihre durch gegen schon vor zum zur bis unter sehr was mein kein uhr leute kamen kam \
            januar februar märz mai juni juli oktober dezember jahr jahre jahren tag kapitel heute ihm ihn uns man da dann
            """
        ),
        (
            "fr",
            """
            le la les de des du un une et est à au aux il elle ils elles nous vous je tu que qui quoi dans en pour pas ne sur \
            ce cette ces son sa ses se plus par avec tout mais ou où comme était être avoir fait on leur leurs si sans même \
            deux bien sont ont avait été y chapitre très aussi dit cela entre après avant sous quand nuit chat
            """
        ),
        (
            "es",
            """
            el la los las de del un una y es en que no se lo al por con para su sus le les como más pero o si ya este esta \
            estos muy sin sobre también me hasta hay donde quien desde todo todos nos durante uno ni contra otros ese eso \
            había era fue ser dos entre cuando porque capítulo él ella ellos yo tú mi así años
            """
        ),
        (
            "et",
            """
            ja on ei oli see ta ma sa me te nad et kui mis kes aga ka oma siis veel nii või ning pole olid olen oled oleme \
            selle seda sest kus kuidas kuid mida ole minu sinu tema meie teie nende üks kaks kolm siin seal juba ainult väga \
            tuli läks kell keel eesti inimest inimene inimesed inimesi aasta aastal aastat päev päeval esimene teine peatükk \
            peale pärast enne koos ilma üle alla vastu kõik kõige tere miks nagu mitte mulle talle ära oleks saab tuleb
            """
        ),
        (
            "it",
            """
            il lo la gli le di che e è un una uno in non per con del della dei delle si sono al alla nel nella da come più ma \
            anche se o suo sua questo questa era ha ho hanno fu essere tutto tutti quando dove chi perché molto due capitolo \
            io tu lui lei noi voi loro
            """
        ),
        (
            "pt",
            """
            o a os as de do da dos das um uma e é em no na nos nas que não se por para com mais como mas ao ele ela eles foi \
            ser seu sua ou quando muito há já está eu também só pelo pela até isso entre era depois sem mesmo ter você \
            capítulo dois são
            """
        ),
        (
            "nl",
            """
            de het een en van ik te dat die in je is niet zijn op aan met als voor had er maar om hem dan zou of wat mijn men \
            dit zo door over ze zich bij ook tot uit naar heeft hebben deze nog zal wel geen hoofdstuk werd waren
            """
        ),
        (
            "sv",
            """
            och att det i en jag hon som han på den med var sig för så till är men ett om hade de av icke mig du henne då sin \
            nu har inte hans honom skulle hennes där min man ej vid kunde något från ut när efter upp vi dem vara vad över \
            kapitel
            """
        ),
        (
            "da",
            """
            og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde ham hun nu \
            over da fra du ud sin dem os op man hans hvor eller hvad skal selv her alle vil blev kunne ind når være kapittel
            """
        ),
        (
            "fi",
            """
            ja on ei se että hän oli en mutta niin kun hänen minä olen mitä sen myös joka kuin sitten nyt ovat ole vain mikä \
            tai sinä he me te jos siitä kaikki vielä jo sitä hyvin luku ollut minun heidän
            """
        ),
        (
            "pl",
            """
            i w nie się na z do to że jest jak o co ale po tak za od przez był była było są mnie jego jej ich tylko już czy \
            dla być ma tym tego rozdział kiedy gdzie bardzo może go mu ja ty on ona
            """
        ),
        (
            "lv",
            """
            un ir ar no uz par ka tas bija viņš viņa es tu mēs kas kā bet lai nav pie arī vai tā to ko jo vēl pēc līdz šis \
            nodaļa ļoti
            """
        ),
        (
            "lt",
            """
            ir yra kad tai jis ji aš tu mes bet buvo su į iš ne kaip ar tik jau dar už apie nuo iki po skyrius labai jo jos
            """
        ),
    ]
}
