import EchoText
import Testing

/// Words that cards, labels, recipes and results write short, and what only looks like it.
@Suite("Text of labels, recipes and results")
struct TextOfLabelsTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 30)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 30)
    }

    static let months: [TextOfBooksTests.Row] = [
        .init("en-US", "Exp. 08/27", "expires August twenty twenty-seven"),
        .init("en-GB", "Card ending 4242, exp. 08/2027.", "Card ending 4242, expires August twenty twenty-seven."),
        .init("en-US", "Expiry date: 11/26", "Expiry date: November twenty twenty-six"),
        .init(
            "en-US",
            "EXP 08/27, Exp. Date: 09/28",
            "expires August twenty twenty-seven, Exp. Date: September twenty twenty-eight"
        ),
        .init("en-US", "Manager, 03/2015 – 06/2018", "Manager, March twenty fifteen to June twenty eighteen"),
        .init("en-US", "Return it by 08/27.", "Return it by August twenty-seventh."),
        .init("en-US", asWritten: "Exp. 3 failed."),
        .init("en-US", asWritten: "A law, 12/2011, and file 08/2019."),
        .init("de-DE", "Gültig bis 08/27", "Gültig bis August zweitausendsiebenundzwanzig"),
        .init("de-DE", "seit 03/2019", "seit März zweitausendneunzehn"),
        .init("de-DE", asWritten: "Heft 08/2019 und Urteil 12/2011"),
        .init("de-DE", asWritten: "in 10/2000 Fällen und von 12/2011 Werten"),
        .init("de-DE", "in 03/2019 zog er um", "in März zweitausendneunzehn zog er um"),
        .init("fr-FR", "Carte exp. 08/27", "Carte expire août deux mille vingt-sept"),
        .init("es-ES", "Tarjeta, cad. 08/27", "Tarjeta, caduca agosto de dos mil veintisiete"),
        .init("es-ES", "Válida hasta 08/27", "Válida hasta agosto de dos mil veintisiete"),
        .init("es-ES", asWritten: "La Ley 12/2011 y el caso 08/2019."),
        .init("et", "Kehtib kuni 08/27.", "Kehtib kuni august kaks tuhat kakskümmend seitse."),
        .init("et", asWritten: "Määrus 08/2019 kehtib."),
    ]

    @Test("has months with their years", arguments: months)
    func readsMonths(_ row: TextOfBooksTests.Row) { check(row) }

    static let lengths: [TextOfBooksTests.Row] = [
        .init("en-US", "He ran it in 2:00:35.", "He ran it in two hours and thirty-five seconds."),
        .init("en-US", "It took 1:05:09 hours.", "It took one hour, five minutes and nine seconds."),
        .init(
            "en-US",
            "a mile in 3:43.13",
            "a mile in three minutes and forty-three point one three seconds"
        ),
        .init("en-US", "We met at 2:00:35.", "We met at two o'clock and thirty-five seconds."),
        .init("en-US", "Come at 14:30 hours.", "Come at fourteen thirty hours."),
        .init("de-DE", "in 2:00:35 Stunden", "in zwei Stunden und fünfunddreißig Sekunden"),
        .init(
            "de-DE",
            "die Meile in 3:43,13 Minuten",
            "die Meile in drei Minuten und dreiundvierzig Komma eins drei Sekunden"
        ),
        .init("fr-FR", "un marathon en 2:00:35", "un marathon en deux heures et trente-cinq secondes"),
        .init("fr-FR", "à 8:05:10", "à huit heures cinq et dix secondes"),
        .init("es-ES", "corrió en 2:00:35", "corrió en dos horas y treinta y cinco segundos"),
        .init("et", "ajaga 2:00:35", "ajaga kaks tundi ja kolmkümmend viis sekundit"),
        .init("en-US", "Briefing: 14:30 hours.", "Briefing: fourteen thirty hours."),
        .init("en-US", "It lasted 12:30 hours.", "It lasted twelve hours and thirty minutes."),
        .init("en-US", "As of 14:30:10", "As of fourteen thirty and ten seconds"),
        .init("en-US", "local time 10:15:30", "local time ten fifteen and thirty seconds"),
        .init(
            "en-US",
            "from 9:15:10 to 9:20:20",
            "from nine fifteen and ten seconds to nine twenty and twenty seconds"
        ),
        .init(
            "fr-FR",
            "de 8:05:10 à 9:10:20",
            "de huit heures cinq et dix secondes à neuf heures dix et vingt secondes"
        ),
        .init(
            "fr-FR",
            "un temps de 2:00:35 à Paris",
            "un temps de deux heures et trente-cinq secondes à Paris"
        ),
        .init("de-DE", "nach 2:05 Stunden", "nach zwei Stunden und fünf Minuten"),
        .init("de-DE", asWritten: "Karten in 1:25.000 und 1:50.000"),
        .init("es-ES", asWritten: "un mapa 1:50.000"),
    ]

    @Test("has lengths of time that are written as times of day", arguments: lengths)
    func readsLengths(_ row: TextOfBooksTests.Row) { check(row) }

    static let rates: [TextOfBooksTests.Row] = [
        .init(
            "et",
            "Õunad maksavad 2,50 €/kg.",
            "Õunad maksavad kaks eurot ja viiskümmend senti kilogrammi kohta."
        ),
        .init("et", "hind (€/kg)", "hind (eurot kilogrammi kohta)"),
        .init("et", "palk 12 €/h, 80 mg/l", "palk 12 eurot tunnis, 80 milligrammi liitri kohta"),
        .init("et", "kulu 5 l/100 km", "kulu 5 liitrit saja kilomeetri kohta"),
        .init("et", asWritten: "ja/või, 24/7 ja 1/2019"),
        .init("en-US", "prices in €/kg", "prices in euros per kilogram"),
        .init("en-US", "It has 120 m2.", "It has 120 square metres."),
        .init("en-US", asWritten: "Run $/bin now, on the M2."),
        .init("de-DE", "Sie verbraucht 6,5 l/100 km.", "Sie verbraucht 6,5 Liter pro 100 Kilometer."),
        .init("fr-FR", "6,5 l/100 km", "6,5 litres aux 100 kilomètres"),
    ]

    @Test("has what an amount is for one or a hundred of", arguments: rates)
    func readsRates(_ row: TextOfBooksTests.Row) { check(row) }

    static let spoons: [TextOfBooksTests.Row] = [
        .init(
            "fr-FR",
            "Ajoutez 2 c. à soupe de sucre et 1 c. à café de sel.",
            "Ajoutez 2 cuillères à soupe de sucre et une cuillère à café de sel."
        ),
        .init("fr-FR", "½ c. à café de sel", "une demi cuillère à café de sel"),
        .init("fr-FR", "une c. à s. d'huile", "une cuillère à soupe d'huile"),
        .init("fr-FR", "3 cuil. à soupe", "3 cuillères à soupe"),
        .init("fr-FR", asWritten: "C'est-à-dire, c. 5 et vitamine C. À table !"),
    ]

    @Test("has spoons", arguments: spoons)
    func readsSpoons(_ row: TextOfBooksTests.Row) { check(row) }

    static let agreement: [TextOfBooksTests.Row] = [
        .init("de-DE", "Das ist sein 2. Album.", "Das ist sein zweites Album."),
        .init("de-DE", "ihr 3. Studioalbum", "ihr drittes Studioalbum"),
        .init("de-DE", "seines 2. Albums", "seines zweiten Albums"),
        .init("de-DE", "dessen 5. Roman", "dessen fünfter Roman"),
        .init("de-DE", "jedes 2. Kind", "jedes zweite Kind"),
        .init("de-DE", "in 3. Auflage", "in dritter Auflage"),
        .init("de-DE", "2. Satz: Andante", "zweiter Satz: Andante"),
        .init("de-DE", "Es gab eine 2. Chance.", "Es gab eine zweite Chance."),
        .init("de-DE", asWritten: "Er schrieb eine 2. Lisa auch."),
        .init("de-DE", asWritten: "Er schrieb eine 2. Frau Meier nicht."),
        .init("de-DE", "die dt. Sprache und der engl. Text", "die deutsche Sprache und der englische Text"),
        .init("de-DE", "bei max. Geschwindigkeit", "bei maximaler Geschwindigkeit"),
        .init("de-DE", "(lat. Canis lupus)", "(lateinisch Canis lupus)"),
        .init("de-DE", "max. 5 Personen", "maximal 5 Personen"),
        .init(
            "es-ES",
            "La velocidad máx. es de 120 km/h.",
            "La velocidad máxima es de 120 kilómetros por hora."
        ),
        .init("es-ES", "altura máx. 2 m", "altura máxima 2 metros"),
        .init("es-ES", "Tarda máx. 5 minutos.", "Tarda máximo 5 minutos."),
        .init("es-ES", "precios mín. y temperaturas máx.", "precios mínimos y temperaturas máximas."),
        .init("es-ES", "Son máx. 5, mín. 3.", "Son máximo 5, mínimo 3."),
        .init("es-ES", "20 minutos máx. por día", "20 minutos máximo por día"),
    ]

    @Test("has ordinals and short adjectives that agree", arguments: agreement)
    func readsAgreement(_ row: TextOfBooksTests.Row) { check(row) }

    static let heldOut: [TextOfBooksTests.Row] = [
        .init("en-US", "It is rated 4.5/5 by users.", "It is rated 4.5 out of 5 by users."),
        .init("en-US", "I would give it 8/10.", "I would give it 8 out of 10."),
        .init("en-US", "Cut 3/10 of it.", "Cut three tenths of it."),
        .init("en-US", "Take it 3x a day.", "Take it 3 times a day."),
        .init("en-US", asWritten: "It is 2x faster on a 1920 x 1080 display."),
        .init("de-DE", "Er kam 1958 ins Amt.", "Er kam neunzehnhundertachtundfünfzig ins Amt."),
        .init("de-DE", "Der Kaiser dankte 1918 ab.", "Der Kaiser dankte neunzehnhundertachtzehn ab."),
        .init("de-DE", "Sie wurde 1867 in Wien geboren.", "Sie wurde achtzehnhundertsiebenundsechzig in Wien geboren."),
        .init(
            "de-DE",
            "Als 1918 die Republik kam",
            "Als neunzehnhundertachtzehn die Republik kam"
        ),
        .init("de-DE", "geboren 1867", "geboren achtzehnhundertsiebenundsechzig"),
        .init("de-DE", asWritten: "Er fand 1250 Briefe, etwa 1250 in Wien."),
        .init("de-DE", asWritten: "Zimmer 1234 im Haus, 1850 neue Stellen"),
        .init("de-DE", asWritten: "Er kaufte 1918 Schafe und traf 2020 Menschen, weitere 1250 in Wien."),
        .init("de-DE", asWritten: "Sie verdient 1450 im Monat und zahlt 1234 an Miete."),
        .init("de-DE", "der hl. Martin", "der heilige Martin"),
        .init("de-DE", "Bewertung: 4,5/5", "Bewertung: 4,5 von 5"),
        .init("de-DE", "1x täglich, 3x wöchentlich", "ein mal täglich, 3 mal wöchentlich"),
        .init("fr-FR", "Il a eu 15/20 en maths.", "Il a eu 15 sur 20 en maths."),
        .init("fr-FR", "1/20 de seconde", "un vingtième de seconde"),
        .init("fr-FR", "au 1/20 et noté 15/20", "au un vingtième et noté 15 sur 20"),
        .init("fr-FR", asWritten: "Il va sur QQ, à la BCP."),
        .init("fr-FR", "au 12, av. Foch, càd ici", "au 12, avenue Foch, c'est-à-dire ici"),
        .init("fr-FR", "1x par jour", "une fois par jour"),
        .init("es-ES", "3 € el kg en el min. 90", "3 euros el kilogramo en el minuto 90"),
        .init("fr-FR", "des bactéries par mL, 2 € le kg", "des bactéries par millilitre, 2 euros le kilogramme"),
        .init("en-US", "5 mg per kg, per in and per se", "5 milligrams per kilogram, per in and per se"),
        .init("es-ES", asWritten: "Él dice que el ha venido por el camino."),
        .init("es-ES", "Vive en C/ Mayor, s/n.", "Vive en calle Mayor, sin número."),
        .init("es-ES", "3x al día", "3 veces al día"),
        .init("es-ES", asWritten: "Pagó en la c/c y el 1/c, 20 c/IVA."),
        .init("en-US", asWritten: "This is Max. Here is Min. She is a temp."),
        .init("en-US", "Max. 5 people, max. speed", "maximum 5 people, maximum speed"),
        .init("en-US", "Max. speed: 5, Min. order: 3", "maximum speed: 5, minimum order: 3"),
        .init("de-DE", asWritten: "Da kommt Max. Peter geht mit Max."),
        .init("de-DE", "Max. Belegung: 5", "maximale Belegung: 5"),
        .init("fr-FR", asWritten: "Voici Max. Il voit son ex."),
        .init("fr-FR", "par ex. demain, 5 kg max.", "par exemple demain, 5 kilogrammes maximum."),
        .init("fr-FR", "par ex. Marie (ex. Paris)", "par exemple Marie (exemple Paris)"),
        .init("et", asWritten: "See on Max."),
        .init("en-US", "WW II, Apt. 1204, Rm. 1408", "WW two, apartment twelve oh four, Room fourteen oh eight"),
        .init("en-US", "tea w/ milk, w/o sugar, c/o Ann", "tea with milk, without sugar, care of Ann"),
        .init("en-US", asWritten: "The W/L ratio and a/b tests."),
        .init("de-DE", "Dr. med. Roth und Dr. rer. nat. Klein", "Doktor med Roth und Doktor rer nat Klein"),
        .init("de-DE", "inkl. MwSt. ab Hbf, s. S. 12", "inklusive Mehrwertsteuer ab Hauptbahnhof, siehe Seite 12"),
        .init("de-DE", "eine Wohnung mit 80 qm", "eine Wohnung mit 80 Quadratmeter"),
        .init("fr-FR", "Mme de Staël et Mlle Roy", "Madame de Staël et Mademoiselle Roy"),
        .init("es-ES", "D.ª Ana, José M.ª Gil, 2 € c/u", "doña Ana, José María Gil, 2 euros cada uno"),
        .init("es-ES", "a las 08:30 hrs", "a las ocho treinta"),
        .init("et", "mh õp Mägi, jpt", "muu hulgas õpetaja Mägi, ja paljud teised"),
        .init("et", "1x nädalas, 2x päevas", "1 kord nädalas, 2 korda päevas"),
    ]

    @Test("has marks, years, addresses and how often something is", arguments: heldOut)
    func readsHeldOut(_ row: TextOfBooksTests.Row) { check(row) }

    static let mixedEnglish: [TextOfBooksTests.Row] = [
        .init("en-US", "Flight UA 1183 to Denver", "Flight UA eleven eighty-three to Denver"),
        .init("en-US", asWritten: "the bus US 1234"),
        .init("en-US", "Co. B, the 2nd Bn. and the 5th Regt.", "Company B, the 2nd Battalion and the 5th Regiment."),
        .init("en-US", "Smith & Co. A new start.", "Smith & Company. A new start."),
        .init("en-US", "Reveille at 0530 hrs.", "Reveille at zero five thirty hours."),
        .init("en-US", "It took 1200 hrs to build.", "It took 1200 hours to build."),
        .init(
            "en-US",
            "The Rt Hon. Ann Lee and the Rt. Rev. John Poe",
            "The Right Honourable Ann Lee and the Right Reverend John Poe"
        ),
        .init("en-US", asWritten: "RT America and RT Smith"),
        .init("en-US", "Press Ctrl+C now (see fig. 3-2).", "Press Control+C now (see figure 3 2)."),
        .init(
            "en-US",
            "Figures 3-5 and tables 2-4; They won 3-2.",
            "Figures 3 to 5 and tables 2 to 4; They won 3 to 2."
        ),
        .init("en-US", "Dated 3.IV.1921 in ink", "Dated April third, nineteen twenty-one in ink"),
        .init("en-US", "2019 · 120 min · 10 stars", "2019 · 120 minutes · 10 stars"),
        .init("en-US", "your letter of the 3rd inst.", "your letter of the 3rd instant."),
        .init("en-US", asWritten: "The inst. of art"),
        .init("en-US", "on the 3rd fl.; 1 fl. oz.", "on the 3rd floor; 1 fluid ounce."),
        .init("en-US", "Take 1 tab. or 2 tabs. a day.", "Take 1 tablet or 2 tablets a day."),
        .init("en-US", asWritten: "Keep tab."),
        .init("en-US", "It weighs 8 st 5 lb; she weighed 9 st.", "It weighs 8 stone 5 pounds; she weighed 9 stone."),
        .init("en-US", asWritten: "at 1st and 5 st. Joe"),
        .init(
            "en-US",
            "The Revd Dr Pike lives at 14 Mill Rd, Ely.",
            "The Reverend Doctor Pike lives at 14 Mill Road, Ely."
        ),
        .init("en-US", asWritten: "Ann Lee RD, sing Ave Maria"),
        .init(
            "en-US",
            "2\" x 4\" x 8\", 8' long, a 6\" wide plank",
            "2 inches by 4 inches by 8 inches, 8 feet long, a 6 inch wide plank"
        ),
        .init("en-US", asWritten: "It is \"size 8\" wide"),
        .init("en-US", "1 Cor. 13:4, 2 Tim. 3:1", "1 Corinthians 13:4, 2 Timothy 3:1"),
        .init("en-US", asWritten: "I met Tim. 5 people came."),
        .init("en-US", "Queen Elizabeth I met Mary.", "Queen Elizabeth the first met Mary."),
        .init("en-US", asWritten: "With Queen Elizabeth I met him. Henry I know."),
        .init("en-US", "see pl. 4 and Mill Pl. in May", "see plate 4 and Mill Place in May"),
        .init("en-US", "Then Queen Elizabeth I met Mary.", "Then Queen Elizabeth the first met Mary."),
        .init("en-US", asWritten: "When I met Queen Elizabeth I curtsied."),
        .init("en-US", asWritten: "He has 20 tabs."),
        .init("en-US", asWritten: "PS. 5 people came; in ROM. 5 of them stay."),
        .init("en-US", asWritten: "The Ln function"),
        .init("en-US", asWritten: "the 'size 8' wide-fit shoe"),
        .init("en-US", "The 'old' wall of the '90s is 8' long.", "The 'old' wall of the nineties is 8 feet long."),
    ]

    @Test("reads flights, units of armies, figures, letters, weights and lengths", arguments: mixedEnglish)
    func readsMixedEnglish(_ row: TextOfBooksTests.Row) { check(row) }

    static let mixedGerman: [TextOfBooksTests.Row] = [
        .init(
            "de-DE",
            "unter Karl V. und Ludwig II. von Bayern",
            "unter Karl dem fünften und Ludwig dem zweiten von Bayern"
        ),
        .init(
            "de-DE",
            "Ludwig XIV. und Ludwig XV. regierten.",
            "Ludwig der vierzehnte und Ludwig der fünfzehnte regierten."
        ),
        .init("de-DE", "Nach nur 1 Woche und mit etwa 1 Liter", "Nach nur einer Woche und mit etwa einem Liter"),
        .init("de-DE", "Nur 1 Woche blieb.", "Nur eine Woche blieb."),
        .init(
            "de-DE",
            "Er fand 1 Birne, 1 Kollege fand 1 Gebäude und 1 Update.",
            "Er fand eine Birne, ein Kollege fand ein Gebäude und ein Update."
        ),
        .init(
            "de-DE",
            "an 1 Bahnhof, mit 1 Klick und 1 Ah",
            "an einem Bahnhof, mit einem Klick und einer Amperestunde"
        ),
        .init("de-DE", asWritten: "Gruppe 1 Sieger, Kapitel 1 Einleitung"),
        .init(
            "de-DE",
            "sein 2. erst 1809; schon 1812 war er da",
            "sein zweiter erst achtzehnhundertneun; schon achtzehnhundertzwölf war er da"
        ),
        .init("de-DE", asWritten: "Er hat erst 1200 Euro."),
        .init(
            "de-DE",
            "Sie wurde 1731 barockisiert; es wurden 1250 Vögel gezählt.",
            "Sie wurde siebzehnhunderteinunddreißig barockisiert; es wurden 1250 Vögel gezählt."
        ),
        .init("de-DE", "1,5 · 10⁸ km", "1,5 mal 10 hoch 8 Kilometer"),
        .init("de-DE", "um 20 h, um 12 h verschoben, um 3 h", "um 20 Uhr, um 12 Stunden verschoben, um 3 Stunden"),
        .init("de-DE", "Ziff. 4 der AGB", "Ziffer 4 der AGB"),
        .init("de-DE", "an Heiligabend (24.12.)", "an Heiligabend (vierundzwanzigster Dezember)"),
        .init("de-DE", asWritten: "Abschnitt (3.2.)"),
        .init("de-DE", "Fax -91, Durchwahl -204", "Fax neun eins, Durchwahl zwei null vier"),
        .init("de-DE", "Temperatur -5", "Temperatur minus 5"),
        .init("de-DE", "5:4 i. E., i. e. S.", "5 zu 4 im Elfmeterschießen, im engeren Sinne."),
        .init("de-DE", "Herr RA Voss und RA Dr. Roth", "Herr Rechtsanwalt Voss und Rechtsanwalt Doktor Roth"),
        .init("de-DE", asWritten: "der Gott Ra Horus"),
        .init("de-DE", "Prof. em. Lang im 2. OG", "Professor emeritus Lang im zweiten Obergeschoss"),
        .init("de-DE", "Drücken Sie Strg+C.", "Drücken Sie Steuerung+C."),
        .init("de-DE", asWritten: "der 2 zu 1 Erfolg"),
        .init("de-DE", "um 8 h reduziert", "um 8 Stunden reduziert"),
        .init("de-DE", "Handy -20 %", "Handy minus 20 %"),
        .init("de-DE", asWritten: "400 i. E. Vitamin, ein Rand von 2 em. Der Abstand, Gleichung (3.2.)"),
        .init(
            "de-DE",
            "Herrn RA Dr. Voss und Frau RA Dr. Roth",
            "Herrn Rechtsanwalt Doktor Voss und Frau RA Doktor Roth"
        ),
        .init(
            "de-DE",
            "Er hat 1 Urkunde, 1 Waffe und 1 Gemeinde.",
            "Er hat eine Urkunde, eine Waffe und eine Gemeinde."
        ),
        .init(
            "de-DE",
            "In der Phase 1 Studie fehlt 1 Freundin.",
            "In der Phase 1 Studie fehlt eine Freundin."
        ),
    ]

    @Test("has joint rulers, a single one, years, hours and short words", arguments: mixedGerman)
    func readsMixedGerman(_ row: TextOfBooksTests.Row) { check(row) }

    static let mixedFrench: [TextOfBooksTests.Row] = [
        .init("fr-FR", "Mme Vve Perrin", "Madame Veuve Perrin"),
        .init("fr-FR", "p. 45 sqq. et l'ouvr. cité", "page 45 et suivantes et l'ouvrage cité"),
        .init("fr-FR", "la porte à dr. et à g.", "la porte à droite et à gauche."),
        .init("fr-FR", asWritten: "le dr Martin et à G. Martin"),
        .init("fr-FR", "la pl. XII, pl. de la Paix, pl. V. Hugo", "la planche douze, place de la Paix, place V. Hugo"),
        .init("fr-FR", "né vers 1450, † 1519", "né vers 1450, mort en mille cinq cent dix-neuf"),
        .init("fr-FR", "1 gél. et 3 amp.", "une gélule et 3 ampoules."),
        .init("fr-FR", "ch. 4 et ch. 450 €", "chapitre 4 et ch. 450 euros"),
        .init("fr-FR", "l'art. L. 121-4 du C. civ.", "l'article L 121-4 du Code civil."),
        .init("fr-FR", "M. L. 20 ans", "Monsieur L. 20 ans"),
        .init("fr-FR", "à 300 m d'alt.", "à 300 mètres d'altitude."),
        .init("fr-FR", "1 tomate et 1 oignon", "une tomate et 1 oignon"),
        .init("fr-FR", "le 24.XII.1905", "le vingt-quatre décembre mille neuf cent cinq"),
        .init("fr-FR", "Voir la pl. V.", "Voir la planche cinq."),
        .init("fr-FR", "la pl. J.-J. Rousseau", "la place J J Rousseau"),
        .init("fr-FR", "Voir la pl. 4.", "Voir la planche 4."),
        .init("fr-FR", "assis de g. à dr. et debout", "assis de gauche à droite et debout"),
        .init("fr-FR", asWritten: "le mm jour"),
        .init("fr-FR", asWritten: "un fusible de 10 amp. et 5 jours ouvr. ici"),
    ]

    @Test("has short words of books, laws and dispensaries", arguments: mixedFrench)
    func readsMixedFrench(_ row: TextOfBooksTests.Row) { check(row) }

    static let mixedSpanish: [TextOfBooksTests.Row] = [
        .init(
            "es-ES",
            "el 3-IV-1921 y el 12-XI-1998",
            "el tres de abril de mil novecientos veintiuno y el doce de noviembre de mil novecientos noventa y ocho"
        ),
        .init("es-ES", asWritten: "el 3-V-A y 3-IV-12"),
        .init("es-ES", "el Ayto. de Lugo y el Pte. de Galicia", "el Ayuntamiento de Lugo y el Presidente de Galicia"),
        .init("es-ES", "v. tb. cap. 7, vid. t. III, lib. II", "véase también capítulo 7, véase tomo tres, libro dos"),
        .init("es-ES", asWritten: "La vid. Es buena."),
        .init("es-ES", "en feb. y en mar.", "en febrero y en marzo."),
        .init("es-ES", asWritten: "el mar. Es azul."),
        .init("es-ES", "(† 1274)", "(murió en mil doscientos setenta y cuatro)"),
        .init("es-ES", asWritten: "Se escribe con ene."),
        .init("es-ES", asWritten: "número 3-IV-1998"),
        .init("es-ES", asWritten: "un disco de 2 tb. de memoria"),
    ]

    @Test("has Roman months, offices, references and months that are cut short", arguments: mixedSpanish)
    func readsMixedSpanish(_ row: TextOfBooksTests.Row) { check(row) }

    static let mixedEstonian: [TextOfBooksTests.Row] = [
        .init("et", "kasvas 1,3 mln-lt 1,4 mln-ni", "kasvas ühe koma kolmelt miljonilt ühe koma nelja miljonini"),
        .init("et", "Pikk tn 12–4 ja Lai tn 12–16", "Pikk tänav 12 4 ja Lai tänav 12 kuni 16"),
        .init("et", "u kell 10, al 8. juunist", "umbes kell 10, alates kaheksandast juunist"),
        .init("et", asWritten: "Tamm et al. 2019"),
        .init("et", "3. klassis ja 4.-s", "kolmandas klassis ja neljandas"),
        .init("et", "lisa II, lisa C, lisa V tilka", "lisa kaks, lisa C, lisa V tilka"),
        .init("et", "−15...−20 kraadini", "miinus viieteistkümne kuni miinus kahekümne kraadini"),
        .init("et", "112 või 6123 456", "112 või kuus üks kaks kolm, neli viis kuus"),
        .init("et", asWritten: "aastal 2023 456 inimest"),
        .init("et", "lepingu p 3.1, 4,5 mld a", "lepingu punkt 3.1, 4,5 miljardit aastat"),
        .init("et", "5 km ujumise, 2 tabl 3 korda", "viie kilomeetri ujumise, 2 tabletti 3 korda"),
        .init("et", "2 km ujumist, 3 km kõnniteed", "2 kilomeetrit ujumist, 3 kilomeetrit kõnniteed"),
    ]

    @Test("has endings of millions and ordinals, houses, landlines and points of contracts", arguments: mixedEstonian)
    func readsMixedEstonian(_ row: TextOfBooksTests.Row) { check(row) }
}
