import EchoText
import Testing

@Suite("German text")
struct TextGermanTests {
    @Test("is read", arguments: rows)
    func reading(_ row: TextReading) {
        let spoken = TextPreparation(language: "de-DE").prepare(row.written, at: 0)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 0)
    }

    static let rows: [TextReading] = [
        .init("Dr. Müller kommt.", "Doktor Müller kommt."),
        .init("Hr. Schmidt und Fr. Klein", "Herr Schmidt und Frau Klein"),
        .init("z. B. hier", "zum Beispiel hier"),
        .init("z.B. hier", "zum Beispiel hier"),
        .init("d. h. morgen", "das heißt morgen"),
        .init("Äpfel, Birnen usw.", "Äpfel, Birnen und so weiter."),
        .init("rot bzw. blau", "rot beziehungsweise blau"),
        .init("siehe S. 12", "siehe Seite 12"),
        .init("Nr. 5", "Nummer 5"),
        .init("44 v. Chr.", "44 vor Christus."),
        .init("im Jahr 1984", "im Jahr neunzehnhundertvierundachtzig"),
        .init("seit 2026", "seit 2026"),
        .init(asWritten: "1.234.567"),
        .init(asWritten: "3,14"),
        .init(
            "1 234 567 Menschen",
            "eine Million zweihundertvierunddreißigtausendfünfhundertsiebenundsechzig Menschen"
        ),
        .init("am 21. November", "am einundzwanzigsten November"),
        .init("der 1. Januar", "der erste Januar"),
        .init("21.11.2026", "einundzwanzigster November zweitausendsechsundzwanzig"),
        .init("am 3.10.1990", "am dritten Oktober neunzehnhundertneunzig"),
        .init("im 20. Jahrhundert", "im zwanzigsten Jahrhundert"),
        .init("der 2. Weltkrieg", "der zweite Weltkrieg"),
        .init(asWritten: "Das waren 5. Dann kam er."),
        .init("10–20 Leute", "10 bis 20 Leute"),
        .init("14:30 Uhr", "vierzehn Uhr dreißig"),
        .init("um 14.30 Uhr", "um vierzehn Uhr dreißig"),
        .init("um 9:00 Uhr", "um neun Uhr"),
        .init("5,50 €", "fünf Euro fünfzig"),
        .init("1 €", "ein Euro"),
        .init("3 Mio. €", "drei Millionen Euro"),
        .init("$20", "zwanzig Dollar"),
        .init("5 km", "5 Kilometer"),
        .init("1 km", "ein Kilometer"),
        .init("1 t", "eine Tonne"),
        .init("100 km/h", "100 Kilometer pro Stunde"),
        .init("20 °C", "20 Grad Celsius"),
        .init("es sind −5 °C", "es sind minus 5 Grad Celsius"),
        .init("½ Liter", "ein halber Liter"),
        .init("3/4 davon", "drei Viertel davon"),
        .init("2/3", "zwei Drittel"),
        .init("Kapitel IV", "Kapitel vier"),
        .init("Heinrich VIII.", "Heinrich der achte."),
        .init("https://www.example.de/a", "example Punkt de Schrägstrich a"),
        .init("a@example.de", "a ät example Punkt de"),
        .init("#5", "Nummer 5"),
        .init("Version 2.0.1", "Version zwei Punkt null Punkt eins"),
    ]
}
