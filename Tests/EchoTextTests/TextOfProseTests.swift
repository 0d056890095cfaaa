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

    static let timetables: [TextOfBooksTests.Row] = [
        .init(
            "et",
            "E–R 7.12, 9.40 ja 16.05, L, P 10.20.",
            "esmaspäev kuni reede seitse kaksteist, üheksa nelikümmend ja kuusteist null viis, laupäev, pühapäev "
                + "kümme kakskümmend."
        ),
        .init(
            "et",
            "(K 18.30, N 20.45)",
            "(kolmapäev kaheksateist kolmkümmend, neljapäev kakskümmend nelikümmend viis)"
        ),
        .init("et", "L ja P 10–15", "laupäev ja pühapäev 10 kuni 15"),
        .init("et", asWritten: "Särgid: M 12.50 eurot, L 19.00 eurot."),
        .init("et", asWritten: "vitamiinid L, P ja K, rühma P 10.20"),
        .init("et", "Buss väljub 7.35 ja saabub 8.00.", "Buss väljub seitse kolmkümmend viis ja saabub kaheksa."),
        .init("et", "ETV 21.35 kordus 13.20", "ETV kakskümmend üks kolmkümmend viis kordus kolmteist kakskümmend"),
        .init("et", asWritten: "Kool algab 1.09 nagu ikka."),
        .init(
            "et",
            "Vastuvõtt 9.00–12.30, 13.15 – 16.45",
            "Vastuvõtt üheksa kuni kaksteist kolmkümmend, kolmteist viisteist kuni kuusteist nelikümmend viis"
        ),
        .init("et", "punktid 1.10–1.15, hind 5.00–7.30 eurot", "punktid 1.10 kuni 1.15, hind 5.00 kuni 7.30 eurot"),
        .init("et", "Soodsam kuni 30.11!", "Soodsam kuni kolmekümnenda novembrini!"),
        .init(
            "et",
            "hiljemalt 28.02, alates 25.03",
            "hiljemalt kahekümne kaheksandal veebruaril, alates kahekümne viiendast märtsist"
        ),
        .init("et", "enne 24.12 kell 12", "enne kahekümne neljandat detsembrit kell 12"),
        .init("et", asWritten: "kuni 25.12 eurot, kuni 30.13"),
        .init("et", asWritten: "kuni 25,10 punkti, kuni 25.10 protsenti"),
        .init("et", "lõiked 1.15–1.30", "lõiked 1.15 kuni 1.30"),
    ]

    @Test("has Estonian times of day in timetables, programs and deadlines", arguments: timetables)
    func readsTimetables(_ row: TextOfBooksTests.Row) { check(row) }

    static let endings: [TextOfBooksTests.Row] = [
        .init(
            "et",
            "25 km pikkusel lõigul, 3 m sügavuses vees",
            "kahekümne viie kilomeetri pikkusel lõigul, kolme meetri sügavuses vees"
        ),
        .init("et", "Küpseta 180 °C juures.", "Küpseta saja kaheksakümne kraadi juures."),
        .init("et", asWritten: "Katseta 5 korda suurust, maja 5 juures."),
        .init(
            "et",
            "piirati 70 km/h-ni, alla 50 km/h",
            "piirati seitsmekümne kilomeetrini tunnis, alla viiekümne kilomeetri tunnis"
        ),
        .init(
            "et",
            "Tõusis 11 ettevõtte hind, 5 taotluse seis.",
            "Tõusis üheteistkümne ettevõtte hind, viie taotluse seis."
        ),
        .init("et", asWritten: "Rail Baltica 2 ehituse algus, ülesande 5 lahenduse leidmine, 1 lause"),
        .init("et", "vastu 5 poolt-, 2 vastuhäälega", "vastu viie poolt-, kahe vastuhäälega"),
        .init("et", "jään 3 ööks, jagame 4 ruumis", "jään kolmeks ööks, jagame neljas ruumis"),
        .init(
            "et",
            "23. kuni 26. detsembrini, 5. kuni 9. klassini",
            "kahekümne kolmandast kuni kahekümne kuuenda detsembrini, viiendast kuni üheksanda klassini"
        ),
        .init("et", "5. kuni 9. klass", "viies kuni üheksas klass"),
        .init(
            "et",
            "öösel −3…−8 °C, päeval 10...15 kraadi",
            "öösel miinus 3 kuni miinus 8 Celsiuse kraadi, päeval 10 kuni 15 kraadi"
        ),
        .init("et", asWritten: "Tuli 3… Ei, 4 sõpra... 5 jäi."),
        .init("et", "2 poissi vanuses 7 ja 9, 10 kuu vanuses", "2 poissi vanuses 7 ja 9, kümne kuu vanuses"),
        .init("et", asWritten: "Tuli umbes 8 õhtul, sest juba 7 hommikul läks."),
    ]

    @Test("has Estonian numbers in the case of what is beside them", arguments: endings)
    func readsEndings(_ row: TextOfBooksTests.Row) { check(row) }

    static let shortWords: [TextOfBooksTests.Row] = [
        .init(
            "et",
            "7.b klassi ja 9a klass, 5. a klassis",
            "seitsmenda b klassi ja üheksas a klass, viiendas a klassis"
        ),
        .init("et", asWritten: "klass 7b, 3 b klassikat, 20b klass"),
        .init(
            "et",
            "2025. a aruanne, 2025. a. lõpus",
            "kahe tuhande kahekümne viienda aasta aruanne, kahe tuhande kahekümne viienda aasta lõpus"
        ),
        .init("et", "2025. a toimus", "kahe tuhande kahekümne viiendal aastal toimus"),
        .init("et", "summa km-ga, hind km-ta", "summa käibemaksuga, hind käibemaksuta"),
        .init("et", "iga km-ga", "iga kilomeetriga"),
        .init("et", "12,84 senti/kWh, 25 eurot/tund", "12,84 senti kilovatt-tunni kohta, 25 eurot tunnis"),
        .init("de-DE", "31,4 Cent/kWh", "31,4 Cent pro Kilowattstunde"),
        .init("de-DE", asWritten: "der Euro/Dollar-Kurs"),
        .init("et", "ül 212, harj 5", "ülesanne 212, harjutus 5"),
        .init("et", asWritten: "hea ül"),
        .init("et", "Lp hr Tamm, lp kolleegid", "lugupeetud härra Tamm, lugupeetud kolleegid"),
        .init("et", asWritten: "LP plaat on müüa."),
    ]

    @Test("reads what is cut short in letters and bills", arguments: shortWords)
    func readsShortWords(_ row: TextOfBooksTests.Row) { check(row) }

    static let counts: [TextOfBooksTests.Row] = [
        .init("de-DE", "3 x tägl. 1 Tabl. nehmen", "3 mal täglich eine Tablette nehmen"),
        .init("et", "võta 3 x päevas", "võta 3 korda päevas"),
        .init("fr-FR", "un comprimé 3 x/jour, 2x/sem.", "un comprimé 3 fois par jour, 2 fois par semaine."),
        .init("de-DE", asWritten: "Rechne 3 x minus 4."),
        .init("de-DE", "die 4 x 100-m-Staffel", "die 4 mal 100-Meter-Staffel"),
        .init("de-DE", asWritten: "die 4 x 100-er"),
        .init("de-DE", "1 Std. gehen lassen, 1 Min. warten", "eine Stunde gehen lassen, eine Minute warten"),
        .init("de-DE", "Sie hat 1 Urenkel, da ist 1 Sohn.", "Sie hat einen Urenkel, da ist ein Sohn."),
        .init("de-DE", "Er gilt für 1 Monat.", "Er gilt für einen Monat."),
        .init(
            "de-DE",
            "binnen 14 Tg., noch 3 Tg. Zeit, 4 Wo. Frist",
            "binnen 14 Tagen, noch 3 Tage Zeit, 4 Wochen Frist"
        ),
        .init("de-DE", asWritten: "Wo. Das weiß er."),
        .init("de-DE", "der 5. Klassen, die 3. Sitzungen", "der fünften Klassen, die dritten Sitzungen"),
        .init("de-DE", "die 3. Klasse, der 2. Garten", "die dritte Klasse, der zweite Garten"),
        .init("fr-FR", "1 sénatrice et 1 sénateur", "une sénatrice et 1 sénateur"),
        .init(
            "et",
            "ujuti 3.41,27 ja 1.05,04",
            "ujuti kolm minutit nelikümmend üks koma kakskümmend seitse sekundit ja üks minut viis koma null neli sekundit"
        ),
        .init("et", asWritten: "hind 1.234,56 ja 3.75,5 x, punktid 3.12,14 ja 5"),
        .init("et", "aeg 3.41,045", "aeg kolm minutit nelikümmend üks koma null nelikümmend viis sekundit"),
        .init("et", "5 päeva soodsam, –30% kuni õhtuni", "5 päeva soodsam, miinus 30% kuni õhtuni"),
        .init("de-DE", "Seit 3 Tagen –30 % auf alles.", "Seit 3 Tagen minus 30 % auf alles."),
        .init("de-DE", "Seit 3 Tagen –3,5 % auf alles.", "Seit 3 Tagen minus 3,5 % auf alles."),
        .init("de-DE", "die 1. Frauen-Bundesliga", "die erste Frauen-Bundesliga"),
        .init("en-US", asWritten: "Plot 3x in red, 2 x 3-in-1 tools."),
        .init("fr-FR", asWritten: "Le polynôme 3 x a pour degré un."),
        .init("fr-FR", "cahier 2 ex. 3", "cahier 2 exemple 3"),
    ]

    @Test("counts how often, how long and what there is one of", arguments: counts)
    func readsCounts(_ row: TextOfBooksTests.Row) { check(row) }

    static let notices: [TextOfBooksTests.Row] = [
        .init("de-DE", "Sa u. So alle 20 Min., Mo geschl.", "Samstag und Sonntag alle 20 Minuten, Montag geschlossen."),
        .init("de-DE", "Mo, Mi u. Fr 8–12 Uhr", "Montag, Mittwoch und Freitag 8 bis 12 Uhr"),
        .init("de-DE", "Ruhetag: Mo & Di.", "Ruhetag: Montag & Dienstag."),
        .init("de-DE", asWritten: "So, Mo kommt er; Mi und Re; MO und DI"),
        .init("de-DE", asWritten: "Das Lied heißt So Oder So."),
        .init("de-DE", "Do. auch 22.45 Uhr", "Donnerstag auch zweiundzwanzig Uhr fünfundvierzig"),
        .init("fr-FR", "L'Irlande sam. à 21h10.", "L'Irlande samedi à vingt et une heures dix."),
        .init("fr-FR", asWritten: "On voit la mer. De 3 à 5 bateaux."),
        .init(
            "fr-FR",
            "Voici la mer. À 21h10, on dîne.",
            "Voici la mer. À vingt et une heures dix, on dîne."
        ),
        .init("de-DE", "Der Wind weht aus NW, dreht auf SO.", "Der Wind weht aus Nordwest, dreht auf Südost."),
        .init("de-DE", asWritten: "Der Zug kommt aus NW und SO."),
        .init(
            "de-DE",
            "geb. 1712 in Berlin (Bj. 2019)",
            "geboren siebzehnhundertzwölf in Berlin (Baujahr 2019)"
        ),
        .init("de-DE", "500 Einw., Kto. und Kto.-Nr. 5", "500 Einwohner, Konto und Kontonummer 5"),
        .init("de-DE", "Die Nr. ist 5, u. den Rest hat er.", "Die Nummer ist 5, und den Rest hat er."),
        .init("de-DE", "31,4 ct/kWh und 5 ct", "31,4 Cent pro Kilowattstunde und 5 Cent"),
        .init("fr-FR", "sur RDV, jusqu'au 24/12", "sur rendez-vous, jusqu'au vingt-quatre décembre"),
        .init("fr-FR", "Le XV de France, 2 ex. du livre", "Le quinze de France, 2 exemplaires du livre"),
        .init("fr-FR", "par ex. un XV", "par exemple un XV"),
    ]

    @Test("reads days, years, winds and short words of notices", arguments: notices)
    func readsNotices(_ row: TextOfBooksTests.Row) { check(row) }

    static let runningText: [TextOfBooksTests.Row] = [
        .init("de-DE", "Auf der 2. Schiene backen.", "Auf der zweiten Schiene backen."),
        .init("de-DE", "In der 1. und 2. Schicht", "In der ersten und zweiten Schicht"),
        .init(
            "de-DE",
            "Mehl mit 1 Prise Salz, 2 EL Zucker und 1/2 TL Zimt mischen.",
            "Mehl mit einer Prise Salz, 2 Esslöffel Zucker und einem halben Teelöffel Zimt mischen."
        ),
        .init(
            "de-DE",
            "Angenommen mit 11 Ja-, 4 Nein-Stimmen und 1 Enthaltung.",
            "Angenommen mit 11 Ja-, 4 Nein-Stimmen und einer Enthaltung."
        ),
        .init("de-DE", "Er kam mit 2 Eiern. Und 1 Prise fehlt.", "Er kam mit 2 Eiern. Und eine Prise fehlt."),
        .init("de-DE", "Mit 2 Kindern und 1 Hund kam er.", "Mit 2 Kindern und einem Hund kam er."),
        .init("de-DE", "Mit 2 Eiern und sah 1 Katze", "Mit 2 Eiern und sah eine Katze"),
        .init(
            "de-DE",
            "Er will mit 2 Eiern kochen und 1 Prise Salz.",
            "Er will mit 2 Eiern kochen und eine Prise Salz."
        ),
        .init(
            "de-DE",
            "Während der 3. Fahrt, laut der 1. Fassung",
            "Während der dritten Fahrt, laut der ersten Fassung"
        ),
        .init(
            "de-DE",
            "Dann kam der 2. Zug, wie der 3. Versuch und als der 4. Wagen.",
            "Dann kam der zweite Zug, wie der dritte Versuch und als der vierte Wagen."
        ),
        .init(
            "de-DE",
            "Reimann (* 3. Mai 1801 in Görlitz; † 19.1.1866 in Wien) baute.",
            "Reimann (geboren am dritten Mai achtzehnhunderteins in Görlitz; gestorben am neunzehnten Januar "
                + "achtzehnhundertsechsundsechzig in Wien) baute."
        ),
        .init("de-DE", "Otto (*3. Mai 1801)", "Otto (geboren am dritten Mai achtzehnhunderteins)"),
        .init("de-DE", "Er las (*3. Mai 1801* heißt es).", "Er las (dritter Mai achtzehnhunderteins heißt es)."),
        .init("de-DE", "Größen S–XXL, Gr. M–L", "Größen S bis XXL, Größe M bis L"),
        .init("en-US", "Sizes XS-L are left.", "Sizes XS to L are left."),
        .init("et", "Suurused S–XL", "Suurused S kuni XL"),
        .init("de-DE", asWritten: "Die Strecke S–M, der Code L-S, ein XL-Reifen."),
        .init(
            "de-DE",
            "1 Kps. am Abend, 2 Kps. täglich, 20 Tr. Baldrian",
            "eine Kapsel am Abend, 2 Kapseln täglich, 20 Tropfen Baldrian"
        ),
        .init("de-DE", asWritten: "Der Tr. blieb am Ort."),
        .init("de-DE", "Hausnrn. 8–20, Nrn. 3 und 5", "Hausnummern 8 bis 20, Nummern 3 und 5"),
        .init(
            "de-DE",
            "Wie Müller u. a. zeigten, malte er u. a. Bilder.",
            "Wie Müller und andere zeigten, malte er unter anderem Bilder."
        ),
        .init(
            "de-DE",
            "In Rom u. a. Städten, Meier u. a. (2019)",
            "In Rom unter anderem Städten, Meier und andere (2019)"
        ),
        .init(
            "de-DE",
            "tgl. außer Mo, jeden 1. So. im Monat",
            "täglich außer Montag, jeden ersten Sonntag im Monat"
        ),
        .init("de-DE", asWritten: "Alle außer Mo kamen."),
        .init(
            "de-DE",
            "als stellv. Leiterin, als stellv. Direktor",
            "als stellvertretende Leiterin, als stellvertretender Direktor"
        ),
        .init(
            "et",
            "Sündis pere 4. lapsena, läks 3. katsel 2. pühapäeval.",
            "Sündis pere neljanda lapsena, läks kolmandal katsel teisel pühapäeval."
        ),
        .init("et", "Sõitis 7. reisile 2. laevaga.", "Sõitis seitsmendale reisile teise laevaga."),
        .init("et", "1. liiga, 1. esiliiga ja 3. mees", "esimene liiga, esimene esiliiga ja kolmas mees"),
        .init("et", "Jäi 1. ja 2. vahele.", "Jäi esimese ja teise vahele."),
        .init(
            "et",
            "Mängiti 1250 pealtvaataja ees, oldi 4 punkti ees.",
            "Mängiti tuhande kahesaja viiekümne pealtvaataja ees, oldi 4 punkti ees."
        ),
        .init("et", "üle 80 tilga, aga 3 tilka", "üle kaheksakümne tilga, aga 3 tilka"),
        .init(
            "et",
            "400 m tõkkejooksus, 5 km jooks, ta 5 km jooksis",
            "neljasaja meetri tõkkejooksus, viie kilomeetri jooks, ta 5 kilomeetrit jooksis"
        ),
        .init("et", "Avatud iga päev (v.a E).", "Avatud iga päev (välja arvatud esmaspäev)."),
        .init("et", "Rong sõidab E–R.", "Rong sõidab esmaspäev kuni reede."),
        .init("et", asWritten: "Vali lahtrid E–R ja rühm E."),
        .init(
            "de-DE",
            "Wind mit Stärke 5–6 aus SW, nachts auf -3 Grad, dann auf –6 °C.",
            "Wind mit Stärke 5 bis 6 aus Südwest, nachts auf minus 3 Grad, dann auf minus 6 Grad Celsius."
        ),
        .init("de-DE", asWritten: "Die Stärke 5 kam aus SW, Team 4 aus NW."),
        .init("de-DE", "Bei 5 – 6 °C und 5–6 °C", "Bei 5 bis 6 Grad Celsius und 5 bis 6 Grad Celsius"),
        .init("et", "Päeval 3 kraadi, öösel –6 °C-ni.", "Päeval 3 kraadi, öösel miinus kuue kraadini."),
        .init("de-DE", "24 Mrd. km und 5 Mio. t", "24 Milliarden Kilometer und 5 Millionen Tonnen"),
        .init("de-DE", "5 Mio. Kunden, 5 Mio. im Jahr", "5 Millionen Kunden, 5 Millionen im Jahr"),
        .init("et", "24 mld km", "24 miljardit kilomeetrit"),
        .init(
            "de-DE",
            "Heute hat 1 Schüler gefehlt, er hat 1 Schüler, je 1 Tablette.",
            "Heute hat ein Schüler gefehlt, er hat einen Schüler, je eine Tablette."
        ),
        .init("de-DE", "0,5 ct Diamant, 5 ct Pfand", "0,5 Karat Diamant, 5 Cent Pfand"),
        .init("de-DE", "0,5 mg (entspr. 0,65 mg Salz)", "0,5 Milligramm (entsprechend 0,65 Milligramm Salz)"),
        .init(
            "et",
            "Suubub 87 km pärast Emajõkke, 5 min pärast algab.",
            "Suubub kaheksakümne seitsme kilomeetri pärast Emajõkke, viie minuti pärast algab."
        ),
        .init("et", "Jooksis 5 km pärast tööd.", "Jooksis 5 kilomeetrit pärast tööd."),
        .init("et", "Saabus dr H. Volmer.", "Saabus doktor H Volmer."),
        .init("et", "Helistage E ja N kl 9–12.", "Helistage esmaspäeval ja neljapäeval kell 9 kuni 12."),
        .init("et", asWritten: "Rühmad E ja N on täis."),
    ]

    @Test("has running text as it is said", arguments: runningText)
    func readsRunningText(_ row: TextOfBooksTests.Row) { check(row) }

    static let spans: [TextOfBooksTests.Row] = [
        .init("en", "in the week of 15–19 June", "in the week of the fifteenth to the nineteenth of June"),
        .init("en", "the 15–19 June talks", "the fifteenth to the nineteenth of June talks"),
        .init("en", "aged 15–19 may come", "aged 15 to 19 may come"),
        .init("en", "pages 15–19. June left.", "pages 15 to 19. June left."),
        .init("en", "2–45 May fall", "2 to 45 May fall"),
        .init("en", "from the 3rd–10th of August", "from the 3rd to the tenth of August"),
        .init("en", "the 18th–19th centuries", "the 18th to 19th centuries"),
        .init("en", asWritten: "a 3rd-party tool, the 3rd – 10th"),
        .init("en", "open Sat. & Sun.", "open Saturday and Sunday."),
        .init("fr-FR", "les sam. & dim. matin", "les samedi et dimanche matin"),
        .init("en", asWritten: "the Sun & Moon, the Sat & Sun papers"),
        .init("es-ES", "Se aprobó el 4 nov. 2025.", "Se aprobó el cuatro de noviembre de 2025."),
        .init("es-ES", "El 4 nov. 2000 personas vinieron.", "El cuatro de noviembre 2000 personas vinieron."),
        .init("en", "named c. 1086, then c. 1040.", "named circa ten eighty-six, then circa ten forty."),
        .init("en", "c. 1050 people, c. 1024.", "circa 1050 people, circa 1024."),
    ]

    @Test("reads spans of days and years that are about right", arguments: spans)
    func readsSpans(_ row: TextOfBooksTests.Row) { check(row) }

    static let places: [TextOfBooksTests.Row] = [
        .init("en", "7 km (4.3 mi) NE of York", "7 kilometres (4.3 miles) northeast of York"),
        .init("en", "It stands 7 km NE of York.", "It stands 7 kilometres northeast of York."),
        .init("en", "7 km NE, then on", "7 kilometres NE, then on"),
        .init("en", asWritten: "He has 3 NE of them, and NE of York."),
        .init("es-ES", "a 7 km al NE de la villa", "a 7 kilómetros al noreste de la villa"),
        .init("es-ES", "a 7 km al SO, lejos", "a 7 kilómetros al SO, lejos"),
        .init("es-ES", asWritten: "cambió al SO de otra marca"),
        .init("fr-FR", "à 7 km au N.-E. du bourg", "à 7 kilomètres au nord-est du bourg"),
        .init("fr-FR", "à 7 km au SO d'Arles", "à 7 kilomètres au sud-ouest d'Arles"),
        .init("fr-FR", asWritten: "Il passe au SE de base."),
    ]

    @Test("reads points of the compass behind distances", arguments: places)
    func readsPlaces(_ row: TextOfBooksTests.Row) { check(row) }

    static let ratios: [TextOfBooksTests.Row] = [
        .init("en", "Dilute the powder at 1:10.", "Dilute the powder at 1 to 10."),
        .init("en", "a ratio of 1:50", "a ratio of 1 to 50"),
        .init("en", "the scale 1:20, a 1:25 scale", "the scale 1 to 20, a 1 to 25 scale"),
        .init("en", "a report at 1:20, results at 1:30", "a report at one twenty, results at one thirty"),
        .init("de-DE", "Im Verhältnis 1:10 mischen.", "Im Verhältnis 1 zu 10 mischen."),
        .init("de-DE", "Mischungsverhältnis von 1:20, um 1:20", "Mischungsverhältnis von 1 zu 20, um ein Uhr zwanzig"),
        .init("de-DE", "verdünnt 1:20, im Maßstab 1:25", "verdünnt 1 zu 20, im Maßstab 1 zu 25"),
        .init("fr-FR", "À l'échelle 1:50, un rapport de 1:20", "À l'échelle 1 à 50, un rapport de 1 à 20"),
        .init("es-ES", "a escala 1:50, a la 1:20", "a escala 1 a 50, a la una veinte"),
        .init("es-ES", asWritten: "Ganó 2.000.000 gracias a él y 3.000.000 después."),
        .init("fr-FR", "Elle en a 3 000 000 toujours.", "Elle en a trois millions toujours."),
        .init("en", "Come at 1:10 to dilute it.", "Come at one ten to dilute it."),
        .init("en", "Dilute it. Come at 1:10.", "Dilute it. Come at one ten."),
        .init("fr-FR", "Diluez la poudre à 1:10 et attendez.", "Diluez la poudre à 1 à 10 et attendez."),
        .init("fr-FR", "Venez à 1:10.", "Venez à une heure dix."),
        .init("es-ES", "Diluya el polvo a 1:10 y espere.", "Diluya el polvo a 1 a 10 y espere."),
        .init("en", "Blood pressure was 138/86 mmHg.", "Blood pressure was 138 over 86 millimetres of mercury."),
        .init("en", "a blood pressure of 120/80", "a blood pressure of 120 over 80"),
        .init("en", asWritten: "a 120/80 split, 138/86 of them"),
        .init("es-ES", "La tensión era de 13/8.", "La tensión era de 13 8."),
        .init("es-ES", asWritten: "La tensión sube. Hay 13/8 partes."),
        .init("es-ES", "Ganó 3-1 fuera de casa.", "Ganó 3 a 1 fuera de casa."),
        .init("es-ES", "Hay 1 silla fuera y 21 mesas.", "Hay una silla fuera y veintiuna mesas."),
        .init("en", "35 Nm or 20 N·m", "35 newton metres or 20 newton metres"),
        .init("fr-FR", "à 35 N·m", "à 35 newtons mètres"),
        .init("es-ES", "a 35 N·m", "a 35 newtons metro"),
        .init("en", asWritten: "NM is a state, 5 NM are miles."),
        .init("fr-FR", "le relais 4 x 100 m", "le relais 4 fois 100 mètres"),
        .init("fr-FR", "une cour de 4 x 6 m", "une cour de 4 x 6 mètres"),
        .init("fr-FR", "4 x 100 g", "4 x 100 grammes"),
        .init("fr-FR", asWritten: "un 4x4"),
    ]

    @Test("reads ratios, blood pressure, scores and torque", arguments: ratios)
    func readsRatios(_ row: TextOfBooksTests.Row) { check(row) }

    static let references: [TextOfBooksTests.Row] = [
        .init("en", "part no. 77-310, ref. 77-310", "part number 77-310, reference 77-310"),
        .init("en", "No. 12-14, nos. 98-102", "number 12 to 14, numbers 98 to 102"),
        .init("fr-FR", "la réf. 77-310", "la référence 77-310"),
        .init("es-ES", "la ref. 77-310", "la referencia 77-310"),
        .init("es-ES", "la ref. 12-14", "la referencia 12 a 14"),
        .init("en", "the Mk II and the Mk 3", "the mark two and the mark 3"),
        .init("en", asWritten: "MK 5 is a town; mk 2; Mk is short."),
        .init("fr-FR", "citée v. 1086 (v. fig. 3)", "citée vers 1086 (voir figure 3)"),
        .init("fr-FR", asWritten: "la v. 12, la v. longue"),
        .init("es-ES", "citado h. 1086 (v. fig. 3b)", "citado hacia 1086 (véase figura 3b)"),
        .init("es-ES", "H. G. Wells lo vio.", "H G Wells lo vio."),
        .init("es-ES", asWritten: "la v. corta, h. 12"),
        .init("es-ES", "Marcó dos (min. 23 y 41).", "Marcó dos (minuto 23 y 41)."),
        .init("es-ES", asWritten: "min. 3 noches (min. 3 noches)"),
        .init("es-ES", "La Lcda. Soto vino.", "La licenciada Soto vino."),
        .init("es-ES", "Tome 2 al día durante 7 d.", "Tome 2 al día durante 7 días."),
        .init("es-ES", "D. Luis vino.", "don Luis vino."),
        .init("fr-FR", "1 cp. le matin, 2 cp. le soir", "1 comprimé le matin, 2 comprimés le soir"),
        .init("fr-FR", "pendant 3 sec. et encore", "pendant 3 secondes et encore"),
        .init("fr-FR", asWritten: "Le CP. est plein, le linge est sec. Puis rien."),
        .init("fr-FR", "Le Gal Leclerc et le Gal Juin", "Le Général Leclerc et le Général Juin"),
        .init("fr-FR", asWritten: "Gal Gadot et Yves Le Gal Martin"),
    ]

    @Test("reads references and words that are cut short before them", arguments: references)
    func readsReferences(_ row: TextOfBooksTests.Row) { check(row) }

    static let lookalikes: [TextOfBooksTests.Row] = [
        .init("de-DE", "Er ist nach wie vor der 2. Mann.", "Er ist nach wie vor der zweite Mann."),
        .init("de-DE", "Er las, während der 2. Teil fehlt.", "Er las, während der zweite Teil fehlt."),
        .init("de-DE", "Während der 2. Zug hielt", "Während der zweite Zug hielt"),
        .init("de-DE", "Er hat 1 Tag gefehlt.", "Er hat einen Tag gefehlt."),
        .init(
            "de-DE",
            "Er traf mit 2 Schüssen, 1 Minute vor Schluss.",
            "Er traf mit 2 Schüssen, eine Minute vor Schluss."
        ),
        .init("de-DE", "In der Stadt u. a. fanden Feste statt.", "In der Stadt unter anderem fanden Feste statt."),
        .init("de-DE", asWritten: "Er wurde 1. So im Juni war es."),
        .init("et", "Oli 4. tulemusega 62 punkti.", "Oli neljas tulemusega 62 punkti."),
        .init("et", "Pööra 2 km pärast Tartut.", "Pööra 2 kilomeetrit pärast Tartut."),
        .init("et", asWritten: "Mitte numbrid, vaid E–R."),
        .init("en", "our 15–19 June trip", "our fifteenth to the nineteenth of June trip"),
        .init("en", "Results at 10:30.", "Results at ten thirty."),
        .init("en", "She diluted it at 2:45.", "She diluted it at two forty-five."),
        .init("en", "She diluted it at 1:10 pm.", "She diluted it at one ten PM."),
        .init("en", "a population of c. 1050, then fewer", "a population of circa 1050, then fewer"),
        .init("es-ES", "una tensión de 220/127 V en casa", "una tensión de 220/127 voltios en casa"),
        .init("es-ES", "Diluya el polvo a 1:10 a mano.", "Diluya el polvo a 1 a 10 a mano."),
        .init("es-ES", "Grupos (min. 4, máx. 8).", "Grupos (min. 4, máximo 8)."),
        .init("es-ES", asWritten: "En 1936 d. Manuel calló."),
        .init("es-ES", "el art. 7 d. dice", "el artículo 7 d. dice"),
        .init("fr-FR", asWritten: "Il utilise AutoCAD v. 2024 au bureau."),
    ]

    @Test("leaves texts of the same look as they are meant", arguments: lookalikes)
    func readsLookalikes(_ row: TextOfBooksTests.Row) { check(row) }
}
