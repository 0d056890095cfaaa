import EchoText
import Testing

/// Sentences as news, recipes, timetables and manuals have them, and what looks like their short words; they were made for these
/// tests.
@Suite("Text at first contact")
struct TextOfFirstContactTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 20)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 20)
    }

    static let shortWords: [TextOfBooksTests.Row] = [
        .init("de-DE", "Klinik f. Innere Medizin", "Klinik für Innere Medizin"),
        .init("de-DE", "Das Buch erschien b. Suhrkamp.", "Das Buch erschien bei Suhrkamp."),
        .init(
            "de-DE",
            "S. Tab. 2.1 und Kap. 3.4 (2., überarb. Aufl., 1974).",
            "Siehe Tabelle 2.1 und Kapitel 3.4 (zweite, überarbeitete Auflage, 1974)."
        ),
        .init("de-DE", "Er lebt in Frankfurt a.d. Oder.", "Er lebt in Frankfurt an der Oder."),
        .init("de-DE", "Die Praxis liegt im 2. OG links.", "Die Praxis liegt im zweiten Obergeschoss links."),
        .init("fr-FR", "Voir M. Durand, bur. 214.", "Voir Monsieur Durand, bureau 214."),
        .init("fr-FR", "Rendez-vous pl. A la gare.", "Rendez-vous place A la gare."),
        .init(
            "fr-FR",
            "Le match s'est terminé 3-1 à la 90e min.",
            "Le match s'est terminé 3 à 1 à la quatre-vingt-dixième minute."
        ),
        .init("es-ES", "precio s/ tabla", "precio según tabla"),
        .init("es-ES", "con goles en los min. 12 y 90", "con goles en los minutos 12 y 90"),
        .init("et", "vt ptk 3.4 (2. tr, 1974)", "vaata peatükk 3.4 (teine trükk, 1974)"),
        .init("en-US", asWritten: "The farmers planted Monsanto Bt. corn."),
        .init("de-DE", asWritten: "Gegeben ist die Funktion f. Berechne ihre Nullstellen."),
        .init("de-DE", asWritten: "Richtig ist Antwort b. Manche haben sie gefunden."),
    ]

    @Test("reads short words by what stands on both sides", arguments: shortWords)
    func readsShortWords(_ row: TextOfBooksTests.Row) { check(row) }

    static let numbers: [TextOfBooksTests.Row] = [
        .init("en-US", "It costs 100 kn at the market.", "It costs 100 kuna at the market."),
        .init("en-US", "The wind reached 100 kn.", "The wind reached 100 knots."),
        .init("en-US", "A 20 psi tire is soft.", "A 20 pound per square inch tire is soft."),
        .init("en-US", asWritten: "At 0100 the address was given."),
        .init("en-US", "At 0900 the program starts.", "At zero nine hundred the program starts."),
        .init("en-US", "Add 1½ c. flour and stir.", "Add 1 and one half cups flour and stir."),
        .init(
            "en-US",
            "Bring 1 c. sugar, 2 c. milk and a 9-in. pan.",
            "Bring 1 cup sugar, 2 cups milk and a 9-inch pan."
        ),
        .init("en-US", "The farm is 2 mi. N of the village.", "The farm is 2 miles north of the village."),
        .init("fr-FR", "Il se trouve à 2 km au N. de Lyon.", "Il se trouve à 2 kilomètres au nord de Lyon."),
        .init("de-DE", asWritten: "Sie gewann 4 DM in Folge."),
        .init("de-DE", asWritten: "Nach Phase 1 Pause machen."),
        .init(
            "de-DE",
            "Der Antrag wurde mit 50:49 Stimmen angenommen.",
            "Der Antrag wurde mit 50 zu 49 Stimmen angenommen."
        ),
        .init("et", "Tihedus on 20 in/km².", "Tihedus on 20 inimest ruutkilomeetri kohta."),
        .init("et", "hind 85 €/öö", "hind 85 eurot öö eest"),
        .init("et", "hind 500.- eurot", "hind 500 eurot"),
        .init("et", "hinnale lisandub km 22%", "hinnale lisandub käibemaks 22%"),
        .init("et", asWritten: "viis km 22% tõusuga teed"),
    ]

    @Test("reads numbers with what they count", arguments: numbers)
    func readsNumbers(_ row: TextOfBooksTests.Row) { check(row) }

    static let days: [TextOfBooksTests.Row] = [
        .init("en-US", "The museum is closed Sun.", "The museum is closed Sunday."),
        .init("en-US", "It is closed Sun. It opens again Mon.", "It is closed Sunday. It opens again Mon."),
        .init("es-ES", "a diario (exc. dom.) a las 6.10 h", "a diario (excepto domingo) a las seis diez"),
        .init(
            "de-DE",
            "Öffnungszeiten: Mi. nachm. geschl.",
            "Öffnungszeiten: Mittwoch nachmittags geschlossen."
        ),
        .init("et", "Tänane kuupäev 3.11", "Tänane kuupäev kolmas november"),
        .init("et", "K 3. nov kell 18", "kolmapäev kolmas november kell 18"),
    ]

    @Test("reads days that are cut short or in digits", arguments: days)
    func readsDays(_ row: TextOfBooksTests.Row) { check(row) }
}
