import EchoText
import Testing

/// Sentences of the kinds that other tables have, which were written to try the rules.
@Suite("Text of readers")
struct TextOfReadersTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 10)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 10)
    }

    static let numerals: [TextOfBooksTests.Row] = [
        .init(
            "en-US",
            "The XIXth century and the XXth Congress",
            "The nineteenth century and the twentieth Congress"
        ),
        .init("en-US", asWritten: "the team from Ind and the Ist bank"),
        .init("en-US", "See vol. iii, ch. iv and bk. ii.", "See volume three, chapter four and book two."),
        .init("en-US", "It is in vol. i, p. 5.", "It is in volume one, page 5."),
        .init("en-US", "in act iii, scene ii", "in act three, scene two"),
        .init("fr-FR", "au chant IV, t. ii, chap. iv", "au chant quatre, tome deux, chapitre quatre"),
        .init("es-ES", "cap. iv, vol. ii y verso X.", "capítulo cuatro, volumen dos y verso diez."),
        .init("es-ES", asWritten: "s. v. casa"),
        .init("en-US", "Sec. v. Roy", "Sec. versus Roy"),
        .init("de-DE", "Im XIX. und XX. Jahrhundert", "Im neunzehnten und zwanzigsten Jahrhundert"),
        .init("de-DE", "das XIX. oder XX. Jahrhundert", "das neunzehnte oder zwanzigste Jahrhundert"),
        .init(
            "de-DE",
            "Friedrich der II. und Karl der V. kämpften.",
            "Friedrich der zweite und Karl der fünfte kämpften."
        ),
        .init("de-DE", "unter Karl dem V. wurde", "unter Karl dem fünften wurde"),
        .init(
            "de-DE",
            "Auf Ludwig XIII. folgte Ludwig XIV.",
            "Auf Ludwig den dreizehnten folgte Ludwig der vierzehnte."
        ),
        .init("et", "I vabariigi ajal ja II vabariigis", "esimese vabariigi ajal ja teises vabariigis"),
    ]

    @Test("says numerals with endings, in small letters and behind articles", arguments: numerals)
    func saysNumerals(_ row: TextOfBooksTests.Row) { check(row) }

    static let ordinals: [TextOfBooksTests.Row] = [
        .init("es-ES", "los 2.os premios y las 3.as partes", "los segundos premios y las terceras partes"),
        .init(
            "et",
            "Ta elab 4. majas, 5. toas ja 3. külas.",
            "Ta elab neljandas majas, viiendas toas ja kolmandas külas."
        ),
        .init("et", "Ta on 3. külast ja 2. linnast.", "Ta on kolmandast külast ja teisest linnast."),
        .init("et", "Pakuti 1. auhinda.", "Pakuti esimest auhinda."),
        .init(
            "de-DE",
            "Er hat 1 Katze, 1 Hund und 1 Bruder.",
            "Er hat eine Katze, einen Hund und einen Bruder."
        ),
        .init("de-DE", "Er hat 2 Kinder, 1 Sohn ist krank.", "Er hat 2 Kinder, ein Sohn ist krank."),
        .init("es-ES", "2/3 partes y 1/3 del total", "dos terceras partes y un tercio del total"),
        .init(
            "en-US",
            "5 Jan.–7 Feb. it rained.",
            "the fifth of January to the seventh of February it rained."
        ),
    ]

    @Test("has numbers in the case and the gender of their nouns, and spans of days", arguments: ordinals)
    func saysOrdinals(_ row: TextOfBooksTests.Row) { check(row) }

    static let shortWords: [TextOfBooksTests.Row] = [
        .init("en-US", "Mr. Justice Holmes, Esq., came.", "Mister Justice Holmes, Esquire, came."),
        .init("en-US", "The poet, fl. 1380s, wrote.", "The poet, flourished thirteen eighties, wrote."),
        .init(
            "en-US",
            "The 2nd Lt. and the 1st Sgt. came.",
            "The 2nd Lieutenant and the 1st Sergeant came."
        ),
        .init("en-US", asWritten: "WE WENT TO THE US AND BACK."),
        .init("en-US", "THE US ARMY LEFT US ALONE.", "THE US ARMY LEFT us ALONE."),
        .init("de-DE", "Die Kosten pro Pers. steigen.", "Die Kosten pro Person steigen."),
        .init("de-DE", "Fn. 3, Fußn. 6 und Postf. 12", "Fußnote 3, Fußnote 6 und Postfach 12"),
        .init(
            "de-DE",
            "Das Buch (Verl. Beck) ist durchschn. gut.",
            "Das Buch (Verlag Beck) ist durchschnittlich gut."
        ),
        .init("de-DE", "i. J. 476, d. i. nach Attila", "im Jahr 476, das ist nach Attila"),
        .init("fr-FR", "les nos 2 et 3, les n°s 4 et 5", "les numéros 2 et 3, les numéros 4 et 5"),
        .init("fr-FR", asWritten: "Voilà nos 2 enfants et nos 3 chats."),
        .init("fr-FR", "le prof. Martin et le gén. Leclerc", "le professeur Martin et le général Leclerc"),
        .init("es-ES", "Cayó en 1453 d. C. y nadie huyó.", "Cayó en 1453 después de Cristo y nadie huyó."),
        .init(
            "es-ES",
            "Nació en el 300 a. de C. y murió en el 270 d. de C.",
            "Nació en el 300 antes de Cristo y murió en el 270 después de Cristo."
        ),
        .init("es-ES", "la Ing. Ruiz y el Lic. Pérez", "la ingeniera Ruiz y el licenciado Pérez"),
        .init(
            "es-ES",
            "Tiene 231 habs. y 300 casas.",
            "Tiene doscientos treinta y un habitantes y trescientas casas."
        ),
        .init("es-ES", "los núms. 4-5, i. e. dos", "los números 4 a 5, es decir dos"),
    ]

    @Test("says more words that are cut short, and the country in capitals", arguments: shortWords)
    func saysShortWords(_ row: TextOfBooksTests.Row) { check(row) }
}
