import EchoText
import Testing

@Suite("French text")
struct TextFrenchTests {
    @Test("is read", arguments: rows)
    func reading(_ row: TextReading) {
        let spoken = TextPreparation(language: "fr-FR").prepare(row.written, at: 0)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 0)
    }

    static let rows: [TextReading] = [
        .init("M. Dupont", "Monsieur Dupont"),
        .init("Mme Martin et Mlle Petit", "Madame Martin et Mademoiselle Petit"),
        .init("Dr Leroy", "Docteur Leroy"),
        .init("p. ex. ici", "par exemple ici"),
        .init("voir p. 12", "voir page 12"),
        .init("pommes, poires, etc.", "pommes, poires, et cetera."),
        .init("le n° 5", "le numéro 5"),
        .init(asWritten: "l'an 1984"),
        .init(asWritten: "3,14"),
        .init("1 234 567", "un million deux cent trente-quatre mille cinq cent soixante-sept"),
        .init("le 1er janvier", "le premier janvier"),
        .init("la 1re fois", "la première fois"),
        .init("la 2e fois", "la deuxième fois"),
        .init("le 21ème", "le vingt et unième"),
        .init("le XXe siècle", "le vingtième siècle"),
        .init("François Ier", "François premier"),
        .init("Louis XIV", "Louis quatorze"),
        .init(asWritten: "La Mer est là"),
        .init("le 21/11/2026", "le vingt et un novembre deux mille vingt-six"),
        .init("21 nov. 2026", "vingt et un novembre 2026"),
        .init(asWritten: "le 5 mai"),
        .init("à 14h30", "à quatorze heures trente"),
        .init("à 14:00", "à quatorze heures"),
        .init("1h05", "une heure cinq"),
        .init("5,50 €", "cinq euros cinquante"),
        .init("1 €", "1 euro"),
        .init("20 €", "20 euros"),
        .init("3 millions €", "trois millions d'euros"),
        .init("21 £", "vingt et une livres"),
        .init("5 km", "5 kilomètres"),
        .init("1,5 km", "1,5 kilomètre"),
        .init("100 km/h", "100 kilomètres à l'heure"),
        .init("20 °C", "20 degrés Celsius"),
        .init("1 t", "une tonne"),
        .init("50 m²", "50 mètres carrés"),
        .init("10–20 personnes", "10 à 20 personnes"),
        .init("il fait −5", "il fait moins 5"),
        .init("½", "un demi"),
        .init("3/4", "trois quarts"),
        .init("a = b", "a égale b"),
        .init("§ 3", "paragraphe 3"),
        .init("01 23 45 67 89", "zéro un, vingt-trois, quarante-cinq, soixante-sept, quatre-vingt-neuf"),
        .init(
            "+33 6 12 34 56 78",
            "plus trente-trois, six, douze, trente-quatre, cinquante-six, soixante-dix-huit"
        ),
        .init(
            "+33 (0)1 23 00 67 05",
            "plus trente-trois, zéro, un, vingt-trois, zéro zéro, soixante-sept, zéro cinq"
        ),
        .init("+32 475 12 34 56", "plus trois deux, quatre sept cinq, un deux, trois quatre, cinq six"),
        .init("0475 12 34 56", "zéro quatre sept cinq, un deux, trois quatre, cinq six"),
        .init("tél. 0123456789", "téléphone zéro un deux trois quatre cinq six sept huit neuf"),
        .init("https://example.fr/a", "example point fr barre oblique a"),
        .init("a@example.fr", "a arobase example point fr"),
    ]
}
