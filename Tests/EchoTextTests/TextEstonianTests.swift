import EchoText
import Testing

@Suite("Estonian text")
struct TextEstonianTests {
    @Test("is read", arguments: abbreviations + numbers + datesAndTimes + moneyAndUnits + signs)
    func reading(_ row: TextReading) {
        let spoken = TextPreparation(language: "et").prepare(row.written, at: 7)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 7)
    }

    static let abbreviations: [TextReading] = [
        .init("Näiteks nt see", "Näiteks näiteks see"),
        .init("Õunad, pirnid jne.", "Õunad, pirnid ja nii edasi."),
        .init("Õunad jms on siin", "Õunad ja muud sellist on siin"),
        .init("dr Tamm ja prof Kask", "doktor Tamm ja professor Kask"),
        .init("dr. Tamm", "doktor Tamm"),
        .init("hr Mets ja pr Lepp", "härra Mets ja proua Lepp"),
        .init("vt lk 12", "vaata lehekülg 12"),
        .init("120 lk", "120 lehekülge"),
        .init("Pikk tn 5", "Pikk tänav 5"),
        .init("Narva mnt 7", "Narva maantee 7"),
        .init("s.t see", "see tähendab see"),
        .init("s.o. hea", "see on hea"),
        .init("k.a homme", "kaasa arvatud homme"),
        .init("kõik v.a. mina", "kõik välja arvatud mina"),
        .init("aastal 300 eKr", "aastal 300 enne Kristust"),
        .init("nn sõber", "niinimetatud sõber"),
        .init("sh lapsed", "sealhulgas lapsed"),
        .init("u 20 inimest", "umbes 20 inimest"),
        .init("nr 5", "number 5"),
        .init("A. H. Tammsaare", "A H Tammsaare"),
        .init("Mari jt tulid", "Mari ja teised tulid"),
        .init(asWritten: "Ta läks koju."),
    ]

    static let numbers: [TextReading] = [
        .init(asWritten: "Mul on 12 õuna ja 3,14 pirukat."),
        .init("1 234 567", "miljon kakssada kolmkümmend neli tuhat viissada kuuskümmend seitse"),
        .init("10\u{A0}000 inimest", "kümme tuhat inimest"),
        .init("10–20 inimest", "10 kuni 20 inimest"),
        .init("10-20 inimest", "10 kuni 20 inimest"),
        .init("1. koht", "esimene koht"),
        .init("2. klassis", "teises klassis"),
        .init("3. korrusel", "kolmandal korrusel"),
        .init("21. sajand", "kahekümne esimene sajand"),
        .init("21. sajandil", "kahekümne esimesel sajandil"),
        .init("20. sajandi alguses", "kahekümnenda sajandi alguses"),
        .init("XX sajand", "kahekümnes sajand"),
        .init("XIX sajandil", "üheksateistkümnendal sajandil"),
        .init("II maailmasõda", "teine maailmasõda"),
        .init("Karl XII", "Karl kaheteistkümnes"),
        .init("1984. aastal", "tuhande üheksasaja kaheksakümne neljandal aastal"),
        .init("1984. aasta", "tuhande üheksasaja kaheksakümne neljanda aasta"),
        .init("1990. aastatel", "tuhande üheksasaja üheksakümnendatel aastatel"),
        .init("2026. aastast", "kahe tuhande kahekümne kuuendast aastast"),
        .init("100. päev", "sajas päev"),
        .init("1000. klient", "tuhandes klient"),
        .init("11. novembriks", "üheteistkümnendaks novembriks"),
        .init("5. novembrini", "viienda novembrini"),
        .init("4. novembrist", "neljandast novembrist"),
        .init("1. novembrit", "esimest novembrit"),
        .init("108. aastapäeval", "saja kaheksandal aastapäeval"),
        .init(
            "1939.–1945. aastal",
            "tuhande üheksasaja kolmekümne üheksandal kuni tuhande üheksasaja neljakümne viiendal aastal"
        ),
        .init("½ liitrit", "pool liitrit"),
        .init("1½ tundi", "1 ja pool tundi"),
        .init("3/4 tundi", "kolmveerand tundi"),
        .init("2/3 rahvast", "kaks kolmandikku rahvast"),
        .init("väljas on −5", "väljas on miinus 5"),
        .init("väljas on -5", "väljas on miinus 5"),
        .init("versioon 2.0.1", "versioon kaks punkt null punkt üks"),
        .init("tel. +372 5123 4567", "telefon pluss kolm seitse kaks, viis üks kaks kolm, neli viis kuus seitse"),
        .init("1e6", "üks korda kümme astmes kuus"),
        .init(asWritten: "agent 007"),
        .init(asWritten: "50% ja 7 %"),
        .init(asWritten: "aastal 1984"),
        .init("21. ja 22. november", "kahekümne esimene ja kahekümne teine november"),
        .init(asWritten: "Neid oli 5. Siis tuli 6."),
    ]

    static let datesAndTimes: [TextReading] = [
        .init("21.11.2026", "kahekümne esimene november kaks tuhat kakskümmend kuus"),
        .init("2026-11-21", "kahekümne esimene november kaks tuhat kakskümmend kuus"),
        .init("1.1.2000", "esimene jaanuar kaks tuhat"),
        .init("21. november 2026", "kahekümne esimene november 2026"),
        .init("21. novembril", "kahekümne esimesel novembril"),
        .init("3. mai", "kolmas mai"),
        .init("24. detsembriks", "kahekümne neljandaks detsembriks"),
        .init("24. veebruari hommik", "kahekümne neljanda veebruari hommik"),
        .init("21. nov 2026", "kahekümne esimene november 2026"),
        .init(asWritten: "31.02.2026"),
        .init("kell 14:30", "kell neliteist kolmkümmend"),
        .init("kell 14.30", "kell neliteist kolmkümmend"),
        .init("14:05", "neliteist null viis"),
        .init("kell 9.00–17.30", "kell üheksa kuni seitseteist kolmkümmend"),
        .init("kl 8", "kell 8"),
        .init("kell 12:00", "kell kaksteist"),
        .init(asWritten: "kell 25:99"),
    ]

    static let moneyAndUnits: [TextReading] = [
        .init("5 €", "5 eurot"),
        .init("1 €", "1 euro"),
        .init("5,50 €", "viis eurot ja viiskümmend senti"),
        .init("€20", "kakskümmend eurot"),
        .init("$5", "viis dollarit"),
        .init("20 EUR", "20 eurot"),
        .init("3 mln €", "kolm miljonit eurot"),
        .init("1,2 mld eurot", "1,2 miljardit eurot"),
        .init("10 000 €", "kümme tuhat eurot"),
        .init("0,99 €", "üheksakümmend üheksa senti"),
        .init("5 km", "5 kilomeetrit"),
        .init("1 km", "1 kilomeeter"),
        .init("1,5 km", "1,5 kilomeetrit"),
        .init("20 °C", "20 Celsiuse kraadi"),
        .init("100 km/h", "100 kilomeetrit tunnis"),
        .init("16 GB", "16 gigabaiti"),
        .init("50 m²", "50 ruutmeetrit"),
        .init("3 kg", "3 kilogrammi"),
        .init("5 l", "5 liitrit"),
        .init("30 min", "30 minutit"),
        .init("5 tk", "5 tükki"),
        .init("10–15 km", "10 kuni 15 kilomeetrit"),
        .init("1 000 km", "tuhat kilomeetrit"),
    ]

    static let signs: [TextReading] = [
        .init("Mari & Jüri", "Mari ja Jüri"),
        .init("§ 3", "paragrahv 3"),
        .init("4 × 5", "4 korda 5"),
        .init("a < b", "a väiksem kui b"),
        .init("#5", "number 5"),
        .init("https://www.example.ee/a-b", "example punkt ee kaldkriips a sidekriips b"),
        .init("mari@example.ee", "mari ätt example punkt ee"),
        .init("Vaata example.ee lehte", "Vaata example punkt ee lehte"),
        .init("**tähtis** asi", "tähtis asi"),
        .init("Tore!!!", "Tore!"),
    ]
}
