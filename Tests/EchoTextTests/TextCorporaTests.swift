import EchoText
import Testing

/// Values of public test suites; `Documentation/Corpora.md` has their names, licences and what differs on purpose.
@Suite("Text of public suites")
struct TextCorporaTests {
    static let rows: [TextOfBooksTests.Row] = [
        // NeMo text processing
        .init("de-DE", "08:00 Uhr", "acht Uhr"),
        .init("de-DE", "00:15 Uhr", "null Uhr fünfzehn"),
        .init("de-DE", "08:07 Uhr", "acht Uhr sieben"),
        .init("de-DE", "2.30 Uhr", "zwei Uhr dreißig"),
        .init("de-DE", "2.3.2003", "zweiter März zweitausenddrei"),
        .init("de-DE", "14. Januar", "vierzehnter Januar"),
        .init("en-US", "1:59 p.m.", "one fifty-nine PM."),
        .init("en-US", "2006-08-05", "August fifth, two thousand six"),
        .init("en-US", "2016-11-03", "November third, twenty sixteen"),
        .init("en-US", "'80s", "eighties"),
        .init("en-US", "1980s", "nineteen eighties"),
        .init("es-ES", "1 $", "un dólar"),
        .init("es-ES", "0,55 $", "cincuenta y cinco centavos"),
        .init("es-ES", "1 £", "una libra"),
        .init(
            "fr-FR",
            "le 1er, la 1ère, le 3e et le 90e",
            "le premier, la première, le troisième et le quatre-vingt-dixième"
        ),
        .init("fr-FR", "la 2540e", "la deux mille cinq cent quarantième"),
        // num2words
        .init("de-DE", "im 81. Jahrhundert", "im einundachtzigsten Jahrhundert"),
        .init("fr-FR", "le 35e et le 49e", "le trente-cinquième et le quarante-neuvième"),
        .init("fr-FR", "81,25 €", "quatre-vingt-un euros vingt-cinq"),
    ]

    @Test("is read as they say", arguments: rows)
    func reading(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 0)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 0)
    }
}
