import EchoText
import Testing

/// Tight notices, as classified ads, results, bills, leaflets and chats have them; they were made for these tests.
@Suite("Text of notices")
struct TextOfNoticesTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 20)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 20)
    }

    static let shortWords: [TextOfBooksTests.Row] = [
        .init("fr-FR", "arr. 08h56 à Lyon", "arrivée huit heures cinquante-six à Lyon"),
        .init("fr-FR", "1 j de repos, puis 3 j de marche", "1 jour de repos, puis 3 jours de marche"),
        .init("fr-FR", asWritten: "le J et le j sont rares"),
        .init("fr-FR", "un village de 350 hab au km 12,5", "un village de 350 habitants au kilomètre 12,5"),
        .init("fr-FR", "encore 12 km 300 avant le but", "encore 12 kilomètres 300 avant le but"),
        .init("fr-FR", "paru dans la coll. « Folio »", "paru dans la collection « Folio »"),
        .init("fr-FR", "un comprimé pdt 7 jours", "un comprimé pendant 7 jours"),
        .init("fr-FR", asWritten: "à midi PDT, soit 20 heures"),
        .init("fr-FR", "je suis dvt la gare, tjrs en retard", "je suis devant la gare, toujours en retard"),
        .init("fr-FR", "à 8 Mb/s et 2 atm par 15 nds", "à 8 mégabits par seconde et 2 atmosphères par 15 nœuds"),
        .init("es-ES", "un piso de 3 hab. y 1 hab. más", "un piso de 3 habitaciones y una habitación más"),
        .init("es-ES", "un pueblo de 350 hab. y la hab. 204", "un pueblo de 350 habitantes y la habitación 204"),
        .init("es-ES", "el apdo. de correos 125", "el apartado de correos 125"),
        .init("es-ES", "la fra. n.º 12 con vto. en mayo", "la factura número 12 con vencimiento en mayo"),
        .init("es-ES", asWritten: "Lo pintó Fra Angélico."),
        .init("es-ES", "Temp. máx. 30 °C en la sierra", "temperatura máxima 30 grados Celsius en la sierra"),
        .init("es-ES", asWritten: "precios de temp. alta"),
        .init("es-ES", "C.P. 41013 de Sevilla", "código postal 41013 de Sevilla"),
        .init("es-ES", asWritten: "el C P de la casa"),
        .init("es-ES", "a 8.849 m s. n. m. y más", "a 8.849 metros sobre el nivel del mar y más"),
        .init("es-ES", "a 640 msnm y más", "a 640 metros sobre el nivel del mar y más"),
        .init("es-ES", "Hnos. García, S. L., de Lugo", "hermanos García, sociedad limitada, de Lugo"),
        .init("es-ES", "S. L. Jackson actúa.", "S L Jackson actúa."),
        .init("es-ES", "xfa ven, xq llueve", "por favor ven, porque llueve"),
        .init("es-ES", "así es (cf. ibíd., p. 12)", "así es (confer ibídem, página 12)"),
        .init("es-ES", asWritten: "Ganó el Valencia CF."),
        .init("es-ES", "en el km 23,5 y a 3 km", "en el kilómetro 23,5 y a 3 kilómetros"),
        .init("es-ES", "debe 1,5 bill. de euros", "debe 1,5 billones de euros"),
        .init("es-ES", "a 1 atm y 8 Mb/s", "a una atmósfera y 8 megabits por segundo"),
    ]

    @Test("reads words that are cut short", arguments: shortWords)
    func readsShortWords(_ row: TextOfBooksTests.Row) { check(row) }
}
