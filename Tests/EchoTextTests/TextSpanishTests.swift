import EchoText
import Testing

@Suite("Spanish text")
struct TextSpanishTests {
    @Test("is read", arguments: rows)
    func reading(_ row: TextReading) {
        let spoken = TextPreparation(language: "es-ES").prepare(row.written, at: 0)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 0)
    }

    static let rows: [TextReading] = [
        .init("Sr. López", "señor López"),
        .init("Sra. García y Dr. Ruiz", "señora García y doctor Ruiz"),
        .init("EE. UU. gana", "Estados Unidos gana"),
        .init("p. ej. aquí", "por ejemplo aquí"),
        .init("ver pág. 12", "ver página 12"),
        .init("44 a. C.", "44 antes de Cristo."),
        .init("peras, etc.", "peras, etcétera."),
        .init("n.º 5", "número 5"),
        .init("Ud. sabe", "usted sabe"),
        .init(asWritten: "en 1984"),
        .init(asWritten: "3,14"),
        .init(asWritten: "1.234.567"),
        .init("1 234 567", "un millón doscientos treinta y cuatro mil quinientos sesenta y siete"),
        .init("el 1.º", "el primero"),
        .init("la 2ª vez", "la segunda vez"),
        .init("el 1.er piso", "el primer piso"),
        .init("el 3º", "el tercero"),
        .init("siglo XX", "siglo veinte"),
        .init("Felipe VI", "Felipe sexto"),
        .init("Alfonso XIII", "Alfonso trece"),
        .init("el 21/11/2026", "el veintiuno de noviembre de dos mil veintiséis"),
        .init(asWritten: "21 de noviembre de 2026"),
        .init("5 nov 2026", "cinco de noviembre de 2026"),
        .init("a las 14:30", "a las catorce treinta"),
        .init("a las 14:05", "a las catorce cero cinco"),
        .init("5 €", "5 euros"),
        .init("1 €", "un euro"),
        .init("5,50 €", "cinco euros con cincuenta céntimos"),
        .init("$20", "veinte dólares"),
        .init("3 millones €", "tres millones de euros"),
        .init("21 £", "veintiuna libras"),
        .init("5 km", "5 kilómetros"),
        .init("1 km", "un kilómetro"),
        .init("21 km", "veintiún kilómetros"),
        .init("200 t", "doscientas toneladas"),
        .init("100 km/h", "100 kilómetros por hora"),
        .init("20 °C", "20 grados Celsius"),
        .init("50 m²", "50 metros cuadrados"),
        .init("10–20 personas", "10 a 20 personas"),
        .init("hace −5", "hace menos 5"),
        .init("½", "un medio"),
        .init("3/4", "tres cuartos"),
        .init("Juan & Ana", "Juan y Ana"),
        .init(
            "+34 600 12 34 56",
            "más treinta y cuatro, seiscientos, doce, treinta y cuatro, cincuenta y seis"
        ),
        .init("91 555 02 00", "noventa y uno, quinientos cincuenta y cinco, cero dos, cero cero"),
        .init("tel. 912-345-678", "teléfono nueve uno dos, tres cuatro cinco, seis siete ocho"),
        .init("+52 55 1234 5678", "más cinco dos, cinco cinco, uno dos tres cuatro, cinco seis siete ocho"),
        .init("tel. 912345678", "teléfono nueve uno dos tres cuatro cinco seis siete ocho"),
        .init("https://example.es/a", "example punto es barra a"),
        .init("a@example.es", "a arroba example punto es"),
    ]
}
