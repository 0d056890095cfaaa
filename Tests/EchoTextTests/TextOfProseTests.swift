import EchoText
import Testing

/// Kinds of ordinary running text that were read wrongly, and texts of the same look that must stay.
@Suite("Text of prose")
struct TextOfProseTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 20)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 20)
    }

    static let adjectives: [TextOfBooksTests.Row] = [
        .init("et", "Oodati 2–3-protsendilist langust.", "Oodati kahe kuni kolmeprotsendilist langust."),
        .init("et", "5-6-aastased lapsed", "viie kuni kuueaastased lapsed"),
        .init("et", "10–15-liikmeline rühm", "kümne kuni viieteistkümneliikmeline rühm"),
        .init("et", "2- ja 3-toalised korterid", "kahe- ja kolmetoalised korterid"),
        .init("et", "1-, 2- ja 3-toalised korterid", "ühe-, kahe- ja kolmetoalised korterid"),
        .init("et", asWritten: "Seal oli 2- ja muid."),
        .init("et", "Lk 2–3 on tühjad, 2-3 päeva.", "lehekülg 2 kuni 3 on tühjad, 2 kuni 3 päeva."),
    ]

    @Test("joins Estonian ranges to the adjectives behind them", arguments: adjectives)
    func readsAdjectives(_ row: TextOfBooksTests.Row) { check(row) }

    static let cases: [TextOfBooksTests.Row] = [
        .init("et", "Otsustati 5 poolt- ja 1 vastuhäälega.", "Otsustati viie poolt- ja ühe vastuhäälega."),
        .init("et", asWritten: "Seal on 5 era- ja 3 munitsipaalkooli."),
        .init("et", "üle 30 000 majapidamise", "üle kolmekümne tuhande majapidamise"),
        .init("et", "Saadi üle 300 taotluse.", "Saadi üle kolmesaja taotluse."),
        .init("et", asWritten: "Läks silla üle 300 inimest. Saadi 300 taotlust."),
        .init("et", "Sega 2 tl küpsetuspulbriga.", "Sega kahe teelusikatäie küpsetuspulbriga."),
        .init("et", "Sega 3 dl veega.", "Sega kolme detsiliitri veega."),
        .init(
            "et",
            "Lisa 3 dl vett, aga 2 dl sellega koos.",
            "Lisa 3 detsiliitrit vett, aga 2 detsiliitrit sellega koos."
        ),
        .init("et", "Läbis 5 km jalgrattaga.", "Läbis 5 kilomeetrit jalgrattaga."),
        .init("et", "Peame vanaema 80. sünnipäeva.", "Peame vanaema kaheksakümnendat sünnipäeva."),
        .init("et", "Isa 50. sünnipäeva tähistati kodus.", "Isa viiekümnendat sünnipäeva tähistati kodus."),
        .init("et", "Tähistas 80. sünnipäeva puhul rõõmu.", "Tähistas kaheksakümnenda sünnipäeva puhul rõõmu."),
        .init("et", "Joo 200 ml tunniga.", "Joo 200 milliliitrit tunniga."),
        .init("et", "Kasvas 20 g päevaga.", "Kasvas 20 grammi päevaga."),
        .init("et", "Kodus peeti 50. aastapäeva kõne.", "Kodus peeti viiekümnenda aastapäeva kõne."),
        .init("et", "isa 50. sünnipäeva kingitus", "isa viiekümnenda sünnipäeva kingitus"),
    ]

    static let measures: [TextOfBooksTests.Row] = [
        .init("et", "Müüa 65 m² korter.", "Müüa kuuekümne viie ruutmeetrine korter."),
        .init("et", "65 m² korteri eest", "kuuekümne viie ruutmeetrise korteri eest"),
        .init("et", "Ta elab 40 m² korteris.", "Ta elab neljakümneruutmeetrises korteris."),
        .init("et", "Otsime 50 m² korterit.", "Otsime viiekümneruutmeetrist korterit."),
        .init("et", "Osta 2 l purk ja 5 kg kott.", "Osta kaheliitrine purk ja viiekilogrammine kott."),
        .init("et", "Vala 2 l pudelisse.", "Vala 2 liitrit pudelisse."),
        .init("et", "Sellest on 20 m² korterist köetav.", "Sellest on 20 ruutmeetrit korterist köetav."),
        .init("et", "Maja on 65 m² suurune.", "Maja on kuuekümne viie ruutmeetri suurune."),
    ]

    @Test("has Estonian measures as adjectives of what has them", arguments: measures)
    func readsMeasures(_ row: TextOfBooksTests.Row) { check(row) }

    @Test("has Estonian numbers in the case of what is counted", arguments: cases)
    func readsCases(_ row: TextOfBooksTests.Row) { check(row) }

    static let days: [TextOfBooksTests.Row] = [
        .init("et", "Tänan 3. mai kirja eest.", "Tänan kolmanda mai kirja eest."),
        .init("et", "Vallas elas 1. juuni 2023 seisuga", "Vallas elas esimese juuni 2023 seisuga"),
        .init("et", "Täna on 3. mai. Täna on 3. mai ja sajab.", "Täna on kolmas mai. Täna on kolmas mai ja sajab."),
        .init("et", "3. mai kirjutas ta.", "kolmas mai kirjutas ta."),
        .init(
            "et",
            "Olen ära 26.–30. maini, 5.–9. juunini.",
            "Olen ära kahekümne kuuendast kuni kolmekümnenda maini, viiendast kuni üheksanda juunini."
        ),
        .init("et", "26.–30. juuni", "kahekümne kuues kuni kolmekümnes juuni"),
        .init("de-DE", "Die Arbeiten begannen 1887.", "Die Arbeiten begannen achtzehnhundertsiebenundachtzig."),
        .init(
            "de-DE",
            "Der Bau begann 1887 und endete 1895.",
            "Der Bau begann achtzehnhundertsiebenundachtzig und endete achtzehnhundertfünfundneunzig."
        ),
        .init("de-DE", asWritten: "Wir begannen 1250 Kisten zu packen, wir zählten 1887 und gingen."),
        .init("de-DE", "Omas 80. Geburtstag feiern wir.", "Omas achtzigsten Geburtstag feiern wir."),
        .init("de-DE", "Omas 80. Geburtstag war schön.", "Omas achtzigster Geburtstag war schön."),
        .init("de-DE", "Zu Omas 80. Geburtstag kam er.", "Zu Omas achtzigstem Geburtstag kam er."),
        .init("de-DE", "Für Omas 80. Geburtstag kochen wir.", "Für Omas achtzigsten Geburtstag kochen wir."),
        .init("de-DE", "Wir haben Omas 80. Geburtstag gefeiert.", "Wir haben Omas achtzigsten Geburtstag gefeiert."),
        .init(
            "de-DE",
            "Alle feierten. Omas 80. Geburtstag war schön.",
            "Alle feierten. Omas achtzigster Geburtstag war schön."
        ),
        .init("de-DE", "Des 80. Geburtstags gedenken", "Des achtzigsten Geburtstags gedenken"),
        .init("de-DE", "In Hann. Münden und Kgs. Wusterhausen", "In Hannoversch Münden und Königs Wusterhausen"),
        .init("de-DE", "Er kaufte 20 Kgs. Mehl.", "Er kaufte 20 Kilogramm Mehl."),
        .init("de-DE", asWritten: "Johann und Hann kamen."),
    ]

    static let years: [TextOfBooksTests.Row] = [
        .init("en-US", "The budget for 2026 was approved.", "The budget for twenty twenty-six was approved."),
        .init(
            "en-US",
            "The figures for 1998 and 1999 differ.",
            "The figures for nineteen ninety-eight and nineteen ninety-nine differ."
        ),
        .init("en-US", "There are no plans for 2027.", "There are no plans for twenty twenty-seven."),
        .init("en-US", asWritten: "There are plans for 1550 homes, data for 1500 and sales for 1250 dollars."),
        .init("en-US", asWritten: "They sold it for 1950. Asia accounts for 1250, and Europe for more."),
    ]

    @Test("has English years of what is made for them", arguments: years)
    func readsYears(_ row: TextOfBooksTests.Row) { check(row) }

    @Test("has days and years in the forms that their sentences ask for", arguments: days)
    func readsDays(_ row: TextOfBooksTests.Row) { check(row) }
}
