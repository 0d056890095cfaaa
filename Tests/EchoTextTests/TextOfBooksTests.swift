import EchoText
import Testing

@Suite("Text of books")
struct TextOfBooksTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let language: String
        let written: String
        let spoken: String

        init(_ language: String, _ written: String, _ spoken: String) {
            self.language = language
            self.written = written
            self.spoken = spoken
        }

        /// A row for what is said as it is written, since engines read it well.
        init(_ language: String, asWritten text: String) {
            self.init(language, text, text)
        }

        var testDescription: String { "\(language): \(written)" }
    }

    private func check(_ row: Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 40)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 40)
    }

    // MARK: Roman numerals

    static let romanNumerals: [Row] = [
        .init("en-US", "Louis XIV met Pope John XXIII.", "Louis the fourteenth met Pope John the twenty-third."),
        .init(
            "en-US",
            "He served in World War I and World War II.",
            "He served in World War one and World War two."
        ),
        .init("en-US", "Act I, Scene III.", "Act one, Scene three."),
        .init("en-US", "See Part V, Section C, and Appendix D.", "See Part five, Section C, and Appendix D."),
        .init("en-US", "Vitamin C, Plan D and Group I.", "Vitamin C, Plan D and Group one."),
        .init("en-US", asWritten: "Grade C eggs, Class M planets, Figure C, Type D, Mark D and Unit L."),
        .init("en-US", asWritten: "Malcolm X spoke on Mac OS X."),
        .init("en-US", asWritten: "I MIX CD AND DVD AT CIVIC HALL."),
        .init("en-US", "She and I, too, saw Rocky IV.", "She and I, too, saw Rocky four."),
        .init("en-US", "Rocky IV was his. So was Rocky IV.", "Rocky four was his. So was Rocky four."),
        .init("en-US", asWritten: "Start IV fluids. Give IV antibiotics and an IV. The Nurse IV line."),
        .init("en-US", asWritten: "Insert IV, then wait. Place IV and wait."),
        .init("en-US", "CHAPTER I", "CHAPTER one"),
        .init("en-US", "IV. The Return", "four. The Return"),
        .init("en-US", "IV.", "four."),
        .init("en-US", "pages ix–xii", "pages nine to twelve"),
        .init("en-US", "pp. ix–xii", "pages nine to twelve"),
        .init("en-US", "chapters ii–iv and Chapters IV–VI", "chapters two to four and Chapters four to six"),
        .init("en-US", "See page xii, mix it and di.", "See page twelve, mix it and di."),
        .init(
            "en-US",
            "Charles I of England, Henry V was king.",
            "Charles the first of England, Henry the fifth was king."
        ),
        .init("es-ES", asWritten: "YO VI UN MIL DE VIDAS CIVILES."),
        .init("es-ES", "Carlos V y el siglo XIX.", "Carlos quinto y el siglo diecinueve."),
        .init("es-ES", asWritten: "Mi vi di."),
        .init(
            "fr-FR",
            "Je vis mille CD dans le VIe arrondissement.",
            "Je vis mille CD dans le sixième arrondissement."
        ),
        .init("fr-FR", "Le XIXe siècle de Napoléon III.", "Le dix-neuvième siècle de Napoléon trois."),
        .init("fr-FR", asWritten: "C'est DIX fois mieux."),
        .init(
            "de-DE",
            "Ludwig II. baute im XIX. Jahrhundert.",
            "Ludwig der zweite baute im neunzehnten Jahrhundert."
        ),
        .init("de-DE", "Elisabeth II. Sie starb.", "Elisabeth die zweite. Sie starb."),
        .init("de-DE", "Am 2. Tag und im 3. Kapitel", "Am zweiten Tag und im dritten Kapitel"),
        .init("de-DE", "Die 5. Auflage am 1. Advent", "Die fünfte Auflage am ersten Advent"),
        .init("de-DE", asWritten: "Er wurde 19. Dann ging er."),
        .init("de-DE", asWritten: "DIE LIVE-CD IM MIX"),
        .init("et", "II maailmasõda ja Karl XII.", "teine maailmasõda ja Karl kaheteistkümnes."),
        .init("et", asWritten: "CD ja DVD, MIX ja MM."),
    ]

    @Test("has Roman numerals as numbers, and letters as letters", arguments: romanNumerals)
    func readsRomanNumerals(_ row: Row) { check(row) }

    // MARK: Years, codes and groups

    static let yearsAndCodes: [Row] = [
        .init(
            "en-US",
            "The 1908 fire and the 1920 census.",
            "The nineteen oh eight fire and the nineteen twenty census."
        ),
        .init(
            "en-US",
            "Ann's 1987 essay cost 1987 dollars.",
            "Ann's nineteen eighty-seven essay cost 1987 dollars."
        ),
        .init("en-US", asWritten: "the 1500 men and the 1200 houses of the 1100 of them"),
        .init("en-US", asWritten: "In 2001, 2005 and 2009 it rained."),
        .init("en-US", "Room 1408 is open.", "Room fourteen oh eight is open."),
        .init("en-US", "Springfield, IL 62704.", "Springfield, IL six two seven zero four."),
        .init(
            "en-US",
            "Call 911 or 1-800-555-0199.",
            "Call nine one one or one, eight zero zero, five five five, zero one nine nine."
        ),
        .init("en-US", asWritten: "PIN 0042"),
        .init("en-US", "from 1999 to '05", "from nineteen ninety-nine to oh five"),
        .init("en-US", "the 1800s and the '60s", "the eighteen hundreds and the sixties"),
        .init("en-US", "the 1800s and the ’60s", "the eighteen hundreds and the sixties"),
        .init("en-US", asWritten: "'50 people came,' he said."),
        .init(
            "en-US",
            "2'345'678.5 and 1_000_000 and 1 234 567",
            "two million three hundred forty-five thousand six hundred seventy-eight point five and one million and "
                + "one million two hundred thirty-four thousand five hundred sixty-seven"
        ),
        .init("en-US", "They won 3-2 and lost 1–0.", "They won 3 to 2 and lost 1 to 0."),
        .init(
            "en-US",
            "ISO date 2024-02-29 at 23:59.",
            "ISO date February twenty-ninth, twenty twenty-four at twenty-three fifty-nine."
        ),
        .init(
            "en-US",
            "Version 10.15 is not 10.15 dollars.",
            "Version ten point fifteen is not 10.15 dollars."
        ),
        .init("en-US", "IP 10.0.0.1, port 8080.", "IP ten point zero point zero point one, port 8080."),
        .init(
            "de-CH",
            "2'345'678.50 Franken",
            "zwei Millionen dreihundertfünfundvierzigtausendsechshundertachtundsiebzig Franken fünfzig"
        ),
        .init("de-DE", asWritten: "2.345.678,5 und 2.500 Leute"),
        .init("de-DE", "Tel. 030 123456", "Telefon null drei null, eins zwei drei vier fünf sechs"),
        .init("en-US", asWritten: "They phone 10 000 people and phone 25000 people."),
        .init("en-US", "Phone 12 345 or call.", "Phone one two, three four five or call."),
        .init("en-US", "Phone 555 200.", "Phone five five five, two zero zero."),
        .init("en-US", "Phone: 10 000 people ask.", "Phone: one zero, zero zero zero people ask."),
        .init("fr-FR", "Le portable 10 000 fois plus cher.", "Le portable dix mille fois plus cher."),
        .init("de-DE", "Sie siegten 3-2.", "Sie siegten 3 zu 2."),
        .init("en-US", "It was 1-1, a 50-50 chance.", "It was 1 to 1, a 50-50 chance."),
        .init("de-DE", "Hilfe gibt es unter 112.", "Hilfe gibt es unter eins eins zwei."),
        .init("de-DE", asWritten: "Sie war unter 112 Gästen."),
        .init("de-DE", "Er fuhr unter 110 km.", "Er fuhr unter 110 Kilometer."),
        .init(
            "et",
            "Tel 5123 4567, 1 234,5 eurot",
            "telefon viis üks kaks kolm, neli viis kuus seitse, tuhat kakssada kolmkümmend neli koma viis eurot"
        ),
    ]

    @Test("knows years and codes from counts, and the marks of groups", arguments: yearsAndCodes)
    func readsYearsAndCodes(_ row: Row) { check(row) }

    // MARK: Times, money, agreement

    static let agreement: [Row] = [
        .init("de-DE", "um 08:03 Uhr", "um acht Uhr drei"),
        .init("de-DE", "um 13:00 Uhr", "um dreizehn Uhr"),
        .init("de-DE", "um 01:00 Uhr und um 1:01 Uhr", "um ein Uhr und um ein Uhr eins"),
        .init("de-DE", "21 kg, 101 Tage, 1 Stunde", "21 Kilogramm, 101 Tage, eine Stunde"),
        .init("de-DE", "nach 1 Tag um 1 Uhr", "nach einem Tag um ein Uhr"),
        .init(
            "de-DE",
            "am 1.2.2024 und am 3. Oktober",
            "am ersten Februar zweitausendvierundzwanzig und am dritten Oktober"
        ),
        .init("de-DE", "12,05 € und 1,01 $", "zwölf Euro fünf und ein Dollar eins"),
        .init("de-DE", "Wir schreiben bzgl. der Miete.", "Wir schreiben bezüglich der Miete."),
        .init("de-DE", "ca. 20 Pers. zzgl. Kind", "circa 20 Personen zuzüglich Kind"),
        .init("de-DE", "vom 1. d. M. und morgen", "vom ersten dieses Monats und morgen"),
        .init("es-CL", "Vale $3000.", "Vale tres mil pesos."),
        .init("es-MX", "Vale $1,250.50.", "Vale mil doscientos cincuenta pesos con cincuenta centavos."),
        .init("es-ES", "Vale $3000.", "Vale tres mil dólares."),
        .init("es-ES", "03/04/2021", "tres de abril de dos mil veintiuno"),
        .init("es-ES", "450,80 £", "cuatrocientas cincuenta libras con ochenta peniques"),
        .init("es-ES", "21 personas y 200 páginas", "veintiuna personas y doscientas páginas"),
        .init("es-ES", "31 días y 101 horas", "treinta y un días y ciento una horas"),
        .init("es-ES", "1 hora, 1 día y 21 problemas", "una hora, un día y veintiún problemas"),
        .init("es-ES", asWritten: "el capítulo 1 trata, 21 para ti"),
        .init("es-ES", "el 1 de enero y la 3.ª vez", "el 1 de enero y la tercera vez"),
        .init(
            "fr-FR",
            "le 80e, le 200e et le 1000000e",
            "le quatre-vingtième, le deux centième et le millionième"
        ),
        .init("fr-FR", asWritten: "300 euros et 80 euros"),
        .init("fr-FR", "300 € et 80 €", "300 euros et 80 euros"),
        .init("fr-FR", "21 pages, 1 heure, 1 jour", "vingt et une pages, une heure, 1 jour"),
        .init("fr-FR", "à 0h05 et à 21h00", "à zéro heure cinq et à vingt et une heures"),
        .init("fr-FR", "Il a 5,5 M€.", "Il a cinq virgule cinq millions d'euros."),
        .init("fr-FR", "Il a 5,5 M€ et 20 k€.", "Il a cinq virgule cinq millions d'euros et vingt mille euros."),
        .init("fr-FR", "Il a 5,5 M €.", "Il a cinq virgule cinq millions d'euros."),
        .init("et", "kell 9.05 ja kell 21:00", "kell üheksa null viis ja kell kakskümmend üks"),
        .init("et", asWritten: "1 euro, 2 eurot, 21 eurot, 1,5 eurot"),
        .init("et", "5 kg-ni, 20 €-ni, 10%-line", "viie kilogrammini, kahekümne euroni, kümneprotsendiline"),
        .init("et", "5 kg-le ja 25%-lise", "viiele kilogrammile ja kahekümneviieprotsendilise"),
        .init(
            "en-US",
            "$1.01, $0.05 and $1M",
            "one dollar and one cent, five cents and one million dollars"
        ),
        .init(
            "en-US",
            "at 8:00, 12:00 AM, 7 p.m. and 19:07",
            "at eight o'clock, twelve AM, 7 PM and nineteen oh seven"
        ),
        .init("en-US", "1 lb, 5 lbs, 1 in., 6 ft 2 in", "1 pound, 5 pounds, 1 inch, 6 feet 2 inches"),
        .init("en-US", asWritten: "5 in a row, 1 in 5, come in."),
        .init("en-US", "3 ft. 2 in. and more", "3 feet 2 inches and more"),
    ]

    @Test("says times and money, and numbers that agree with their nouns", arguments: agreement)
    func saysAgreement(_ row: Row) { check(row) }

    // MARK: Raised figures

    static let raisedFigures: [Row] = [
        .init("en-US", "A million is 10⁶.", "A million is 10 to the power of 6."),
        .init("en-US", "A millionth is 10⁻⁶ here.", "A millionth is 10 to the power of minus 6 here."),
        .init("en-US", "The sum of x⁴ and yⁿ", "The sum of x to the power of 4 and y to the power of n"),
        .init("en-US", "x² + 1", "x squared + 1"),
        .init("en-US", "The king fled.¹² Then", "The king fled. Then"),
        .init("en-US", "In 1848³ the king fled", "In eighteen forty-eight the king fled"),
        .init("en-US", "The page⁶ read", "The page read"),
        .init("de-DE", "Das sind 10⁶ Teile", "Das sind 10 hoch 6 Teile"),
        .init("fr-FR", "Il y en a 10⁻⁶ ici", "Il y en a 10 puissance moins 6 ici"),
        .init("es-ES", "Son 10⁶ partes", "Son 10 elevado a 6 partes"),
        .init("et-EE", "Neid on 10⁶ tükki", "Neid on 10 astmes 6 tükki"),
    ]

    @Test("says exponents, and no signs of notes", arguments: raisedFigures)
    func saysRaisedFigures(_ row: Row) { check(row) }

    // MARK: Dashes, capitals, abbreviations

    static let dashesAndCapitals: [Row] = [
        .init("en-US", "The boat—old but sound—is ready.", "The boat — old but sound — is ready."),
        .init(
            "en-US",
            "Rain─and wind too─shall be short-lived, half-hearted and well-known.",
            "Rain — and wind too — shall be short-lived, half-hearted and well-known."
        ),
        .init("et", "Paat―vana, aga terve–on valmis.", "Paat — vana, aga terve — on valmis."),
        .init("ru", "Лодка—старая.", "Лодка — старая."),
        .init("en-US", asWritten: "The Paris–Berlin train and the Michelson–Morley experiment."),
        .init("en-US", asWritten: "Wait... what? Well… no."),
        .init("en-US", asWritten: "― Who is there? ― he asked."),
        .init("en-US", asWritten: "– And you? –"),
        .init("en-US", asWritten: "THE NIGHT WAS COLD and the road was long."),
        .init("en-US", asWritten: "SHE WENT HOME with NATO, UNESCO, the BBC and IBM."),
        .init("en-US", "IT WAS US WHO MET IT IN THE U.S.", "it WAS us WHO MET it IN THE U S."),
        .init("en-US", "IN THE U.S. PLEASE STOP", "IN THE U S. PLEASE STOP"),
        .init("en-US", "SHOUTING AT MR. GRAY.", "SHOUTING AT Mister GRAY."),
        .init("en-US", asWritten: "The US and the IT team"),
        .init("et", "MA EI TEA KUI SEE ON NII.", "ma EI TEA KUI SEE ON NII."),
        .init("en-US", "J. R. Hill, Ph.D., lives at 12 Oak Dr.", "J R Hill, P H D, lives at 12 Oak Drive."),
        .init(
            "de-DE",
            "Am 3. Mai kam z. B. Dr. Roth mit ca. 20 Pers. nach St. Pölten.",
            "Am dritten Mai kam zum Beispiel Doktor Roth mit circa 20 Personen nach Sankt Pölten."
        ),
    ]

    @Test("pauses at dashes, and has capitals as words", arguments: dashesAndCapitals)
    func saysDashesAndCapitals(_ row: Row) { check(row) }
}
