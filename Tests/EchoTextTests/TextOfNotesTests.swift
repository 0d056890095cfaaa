import EchoText
import Testing

/// Messages, recipes, timetables, bills and leaflets; they were made for these tests.
@Suite("Text of messages and notes")
struct TextOfNotesTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 20)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 20)
    }

    static let english: [TextOfBooksTests.Row] = [
        .init("en-GB", "350°F (180°C/gas mark 4)", "350 degrees Fahrenheit (180 degrees Celsius/gas mark 4)"),
        .init(
            "en-GB",
            "It rises 2 °C/min or 5 °C/day.",
            "It rises 2 degrees Celsius per minute or 5 degrees Celsius per day."
        ),
        .init("en-GB", "Qty 3 at £5 ea. in stock", "Qty 3 at five pounds each in stock"),
        .init("en-GB", "Rm 204 and ep. 5", "Room 204 and episode 5"),
        .init("en-GB", "Train dep. 08:15, arr. 11:42", "Train departs eight fifteen, arrives eleven forty-two"),
        .init("en-GB", asWritten: "The song is arr. by Liszt."),
        .init("en-GB", "Pls call. Take max. 3/day.", "please call. Take maximum 3 per day."),
        .init("en-GB", "See you a week on Sat. in town.", "See you a week on Saturday in town."),
        .init("en-GB", "We meet on Sun.", "We meet on Sunday."),
        .init("en-GB", asWritten: "She sat. Sun shone."),
        .init("en-GB", "Order 45-2231 takes 50-1000 days.", "Order 45-2231 takes 50 to 1000 days."),
        .init(
            "en-GB",
            "Freeze for 3 mths, 2 times/day, at 72/min.",
            "Freeze for 3 months, 2 times per day, at 72 per minute."
        ),
        .init("en-GB", asWritten: "He paid RM 500 and used PLS regression."),
        .init("en-GB", "It warms by 0.2 °C/decade.", "It warms by 0.2 degrees Celsius per decade."),
        .init("en-US", "It cost $20 CAD or $5.", "It cost twenty Canadian dollars or five dollars."),
        .init("en-GB", "It measures 30 x 20 x 10 cm.", "It measures 30 by 20 by 10 centimetres."),
        .init("en-GB", "a 15.6\" screen, a TV of 40.5\", new", "a 15.6 inch screen, a TV of 40.5 inches, new"),
        .init("en-GB", asWritten: "“It fell to 4.5” and rose."),
        .init("en-GB", asWritten: "a \"top 40\" song, \"up 4.5\" and rising"),
        .init("en-GB", "He stands 6 ft 2 in the photo.", "He stands 6 feet 2 in the photo."),
        .init("en-GB", "The 5ft 11in striker scored.", "The 5 feet 11 inches striker scored."),
        .init("en-GB", "8 fl oz of milk and 2 tbsps of oil", "8 fluid ounces of milk and 2 tablespoons of oil"),
        .init("en-GB", "It made 12 GWh at 5.1 mmol/L.", "It made 12 gigawatt hours at 5.1 millimoles per litre."),
        .init("en-GB", "We used 300 kwh in May.", "We used 300 kilowatt hours in May."),
        .init(
            "en-US",
            "320 pp. in 2 vols. about Oakland, Calif., and more",
            "320 pages in 2 volumes about Oakland, California, and more"
        ),
        .init("en-GB", "We drove along the B3210 to town.", "We drove along the B three two one oh to town."),
        .init("en-GB", "Leave the A303, then take the A40.", "Leave the A three oh three, then take the A40."),
        .init("en-GB", asWritten: "They slept on the A321 to Rome, on the A303 form."),
        .init("en-GB", asWritten: "the B3210 chip, on the M25 and off the A100."),
        .init("en-GB", "It has a 13 A fuse.", "It has a 13 amp fuse."),
        .init("en-GB", asWritten: "In section 13 A fuse is shown, a 13 A bus, room 4 A plug."),
        .init("en-GB", "Messrs Hill and Messrs. Oak", "Messers Hill and Messers Oak"),
        .init("en-GB", "They left at 23.10.", "They left at twenty-three ten."),
        .init("en-GB", "The train arrives by 7.45 and waits.", "The train arrives by seven forty-five and waits."),
        .init("en-GB", "We met at 7.45 pm", "We met at seven forty-five PM"),
        .init("en-GB", asWritten: "It closed at 23.10. Rates were left at 5.25. Goals are being met at 3.15."),
        .init("en-GB", "We met at 2.50 km.", "We met at 2.50 kilometres."),
        .init("en-GB", asWritten: "It rose by 7.45 and fell until 3.10."),
    ]

    @Test("are read in English", arguments: english)
    func readsEnglish(_ row: TextOfBooksTests.Row) { check(row) }

    static let german: [TextOfBooksTests.Row] = [
        .init("de-DE", "Er starb 2010 mit 50 J.", "Er starb 2010 mit 50 Jahren."),
        .init("de-DE", "eine Energie von 50 J.", "eine Energie von 50 Joule."),
        .init("de-DE", "3 Eier (Gr. M) und Hemden Gr. S", "3 Eier (Größe M) und Hemden Größe S"),
        .init("de-DE", "Geb. C, Ida Rau, geb. Meier", "Gebäude C, Ida Rau, geborene Meier"),
        .init("de-DE", "Zi. 204 und 30 km südl. der Stadt", "Zimmer 204 und 30 Kilometer südlich der Stadt"),
        .init("de-DE", "1–2 Tabl. alle 4 Std. oder tägl.", "1 bis 2 Tabletten alle 4 Stunden oder täglich."),
        .init("de-DE", "zzgl. USt. und 34 Pkt. vorn", "zuzüglich Umsatzsteuer und 34 Punkte vorn"),
        .init("de-DE", "Am Mi. regnet es, am So. nicht.", "Am Mittwoch regnet es, am Sonntag nicht."),
        .init("de-DE", "Sa. u. So. nur bis mittags", "Samstag und Sonntag nur bis mittags"),
        .init("de-DE", "seit Fr. Meier hier ist", "seit Frau Meier hier ist"),
        .init("de-DE", "zweimal tägl. Paracetamol", "zweimal täglich Paracetamol"),
        .init("de-DE", asWritten: "Ust-Kut liegt fern."),
        .init("de-DE", "höchstens 3/Tag", "höchstens 3 pro Tag"),
        .init("de-DE", "Anmeldung bis 31.1.25", "Anmeldung bis einunddreißigsten Januar zweitausendfünfundzwanzig"),
        .init(
            "de-DE",
            "Kapitel 1.1.20 bis 2.3.24",
            "Kapitel eins Punkt eins Punkt zwanzig bis zwei Punkt drei Punkt vierundzwanzig"
        ),
        .init("de-DE", "die Sitzung v. 12.11., Steuernr. 12", "die Sitzung vom zwölften November, Steuernummer 12"),
        .init("de-DE", "Wg. Krankheit zu", "wegen Krankheit zu"),
        .init("de-DE", "ein Paket, 30 x 20 x 10 cm groß", "ein Paket, 30 mal 20 mal 10 Zentimeter groß"),
        .init("de-DE", "1 Pr. Salz und 2 Msp. Zimt", "eine Prise Salz und 2 Messerspitzen Zimt"),
        .init("de-DE", "Rd. 3 Mio. Menschen", "rund 3 Millionen Menschen"),
        .init("de-DE", "in jeder anderen dt. Stadt", "in jeder anderen deutschen Stadt"),
        .init("de-DE", "siehe Abb. 3, s. a. Tab. 2", "siehe Abbildung 3, siehe auch Tabelle 2"),
        .init("de-DE", "Sie hat 3 Zi. und Küche.", "Sie hat 3 Zimmer und Küche."),
        .init(
            "de-DE",
            "geöffnet ab 10 h, lt. Polizei nach 10 h Fahrt",
            "geöffnet ab 10 Uhr, laut Polizei nach 10 Stunden Fahrt"
        ),
        .init("de-DE", "später um 3 h, ab 10 h pro Woche", "später um 3 Stunden, ab 10 Stunden pro Woche"),
        .init("de-DE", "etwa 12 GWh oder 90 mg/dl", "etwa 12 Gigawattstunden oder 90 Milligramm pro Deziliter"),
        .init("de-DE", "Werke von Joh. Seb. Bach", "Werke von Johann Sebastian Bach"),
        .init(
            "de-DE",
            "Mitte des 19. Jh. und des 18. Jh. an",
            "Mitte des neunzehnten Jahrhunderts und des achtzehnten Jahrhunderts an"
        ),
        .init("de-DE", "im 19. Jh. war es so", "im neunzehnten Jahrhundert war es so"),
        .init(
            "de-DE",
            "zwischen 1933 u. 1945 war Krieg",
            "zwischen neunzehnhundertdreiunddreißig und neunzehnhundertfünfundvierzig war Krieg"
        ),
        .init("de-DE", "Er hat 1200 u. 1500 Stück.", "Er hat 1200 und 1500 Stück."),
        .init("de-DE", "am 31.10. u. 1.11. zu", "am einunddreißigsten Oktober und ersten November zu"),
        .init(
            "de-DE",
            "am 24.12., 25.12. und 26.12. zu",
            "am vierundzwanzigsten Dezember, fünfundzwanzigsten Dezember und sechsundzwanzigsten Dezember zu"
        ),
        .init("de-DE", asWritten: "in Abschnitt 3.2. und 3.3. steht"),
        .init("de-DE", "Freitag, den 13., war ruhig", "Freitag, den dreizehnten, war ruhig"),
        .init("de-DE", "am 5., 6. und 7. Mai", "am fünften, sechsten und siebten Mai"),
        .init("de-DE", asWritten: "Wir zählen 5., dann 6., dann 7."),
        .init("de-DE", "(3., überarb. Aufl., 412 S., neu)", "(dritte, überarbeitete Auflage, 412 Seiten, neu)"),
        .init("de-DE", "siehe S. 12, Meyer 1998, S. 5", "siehe Seite 12, Meyer 1998, Seite 5"),
        .init("de-DE", asWritten: "Er traf um 12 S. Fischer."),
        .init("de-DE", "vom 3. bis einschl. 21. August", "vom dritten bis einschließlich einundzwanzigsten August"),
        .init(
            "de-DE",
            "lief in 1:58,42 Min. ins Ziel",
            "lief in einer Minute und achtundfünfzig Komma vier zwei Sekunden ins Ziel"
        ),
        .init(
            "de-DE",
            "Tel. 0621 / 4 56 78-20 oder so",
            "Telefon null sechs zwei eins, vier, fünf sechs, sieben acht, zwei null oder so"
        ),
        .init("de-DE", asWritten: "Er kaufte 12 / 13 Stück."),
        .init("de-DE", "etwa 5,8·10⁴ km weit", "etwa 5,8 mal 10 hoch 4 Kilometer weit"),
        .init("de-DE", asWritten: "Berlin · Hamburg · 3 Zimmer"),
        .init("de-DE", "Abf. 8.47 Uhr, Ank. 9.10 Uhr", "Abfahrt acht Uhr siebenundvierzig, Ankunft neun Uhr zehn"),
        .init("de-DE", "Bring 2 Fl. Wein, 1 Fl. Öl mit", "Bring 2 Flaschen Wein, eine Flasche Öl mit"),
        .init(
            "de-DE",
            "Erw. 8 €, Erm. 5 €, 45 € p. P. dazu",
            "Erwachsene 8 Euro, ermäßigt 5 Euro, 45 Euro pro Person dazu"
        ),
        .init("de-DE", "P. P. Rubens malte es.", "P P Rubens malte es."),
        .init("de-DE", "Treffen Mo. um 9, Probe Do ab 19 Uhr", "Treffen Montag um 9, Probe Donnerstag ab 19 Uhr"),
        .init("de-DE", "Tor in der 118. Min. durch ihn", "Tor in der hundertachtzehnten Minute durch ihn"),
        .init("de-DE", "nach 5 Min. Pause, mind. 3 Std. Schlaf", "nach 5 Minuten Pause, mindestens 3 Stunden Schlaf"),
        .init("de-DE", "bis spätestens 30.11. zurück", "bis spätestens dreißigsten November zurück"),
        .init("de-DE", "Am 1. und 2. Weihnachtstag zu", "Am ersten und zweiten Weihnachtstag zu"),
        .init(
            "de-DE",
            "12 € pro m², 5 je kWh, 3 pro Min. und Kopf",
            "12 Euro pro Quadratmeter, 5 je Kilowattstunde, 3 pro Minute und Kopf"
        ),
        .init("de-DE", asWritten: "pro Kilo, je mehr, pro domo, je PS"),
        .init("de-DE", asWritten: "pro A und B, je K"),
        .init("de-DE", "Az.: 5 O 12, Phoenix, AZ. Dort", "Aktenzeichen: 5 O 12, Phoenix, AZ. Dort"),
        .init("de-DE", asWritten: "O sole mio. Ich mag Mio. Wir auch."),
        .init("de-DE", "Umsatz (in Mio. €), in Mrd. Euro", "Umsatz (in Millionen €), in Milliarden Euro"),
        .init(
            "de-DE",
            "Pos. 3, Jhrg. 2019, 1 Tbl. am Tag",
            "Position 3, Jahrgang 2019, eine Tablette am Tag"
        ),
        .init("de-DE", "gewann 78:71 und verlor 20:18", "gewann 78 zu 71 und verlor 20 zu 18"),
        .init("de-DE", "spielte 20:15 Uhr", "spielte zwanzig Uhr fünfzehn"),
        .init("de-DE", "Er lief 25:13, im Maßstab 1:250.", "Er lief 25:13, im Maßstab 1 zu 250."),
        .init("de-DE", "Sa. früh und So. abends", "Samstag früh und Sonntag abends"),
        .init("de-DE", asWritten: "So um 9 Uhr kam er, So früh schon."),
        .init("de-DE", asWritten: "Er sang Do. ab und zu."),
        .init("de-DE", asWritten: "Fr. von Bülow kam."),
        .init("de-DE", "Kd.-Nr. 8 und Art.-Nr. 9", "Kundennummer 8 und Artikelnummer 9"),
        .init("de-DE", "Art. 5 und Nr. 9", "Artikel 5 und Nummer 9"),
        .init("de-DE", "Art.-Nr. 40-1187 und Nr. 77-310", "Artikelnummer 40-1187 und Nummer 77-310"),
        .init("de-DE", "Art.-Nr. 40-1180", "Artikelnummer 40-1180"),
        .init("de-DE", "Nr. 12-14 und Nr. 98-102", "Nummer 12 bis 14 und Nummer 98 bis 102"),
        .init("de-DE", "Nr. 5-120 hier", "Nummer 5 bis 120 hier"),
        .init("de-DE", "gg. 17 h, gg. Bayern", "gegen 17 Uhr, gegen Bayern"),
        .init("de-DE", "2-Zi.-Whg. und Az. 5", "2-Zimmer-Wohnung und Aktenzeichen 5"),
        .init("de-DE", "bei 5 Bft. mit 8 Nm und 1 Ah", "bei 5 Beaufort mit 8 Newtonmeter und einer Amperestunde"),
    ]

    @Test("are read in German", arguments: german)
    func readsGerman(_ row: TextOfBooksTests.Row) { check(row) }

    static let french: [TextOfBooksTests.Row] = [
        .init("fr-FR", "le RDV de jeu. 5/12 à midi", "le rendez-vous de jeudi cinq décembre à midi"),
        .init("fr-FR", asWritten: "Il aime le jeu."),
        .init("fr-FR", "le 1/4 et le reste", "le un quart et le reste"),
        .init("fr-FR", "dimanche 1/4 de finale", "dimanche un quart de finale"),
        .init("fr-FR", "Il aime le 7e art.", "Il aime le septième art."),
        .init("fr-FR", "arrêté le 3/12 vers midi", "arrêté le trois décembre vers midi"),
        .init("fr-FR", "envoyé le 12.03.24 à midi", "envoyé le douze mars deux mille vingt-quatre à midi"),
        .init("fr-FR", "1 pers. sur 10 et 3 art. neufs", "une personne sur 10 et 3 articles neufs"),
        .init("fr-FR", "le 3e trim. 2023", "le troisième trimestre 2023"),
        .init("fr-FR", "1,2 M de visiteurs, 5 M d'euros", "1,2 million de visiteurs, 5 millions d'euros"),
        .init("fr-FR", "Bât. C, appt 204, 45 pts", "bâtiment C, appartement 204, 45 points"),
        .init("fr-FR", "max. 8/jour", "maximum 8 par jour"),
        .init("fr-FR", "de 5 000-7 000 euros", "de cinq mille à sept mille euros"),
        .init(
            "fr-FR",
            "réunion du 12/11, 2 fois/jour sous 7 j.",
            "réunion du douze novembre, 2 fois par jour sous 7 jours."
        ),
        .init("fr-FR", "la salle de 10h-11h30", "la salle de 10 heures à onze heures trente"),
        .init("fr-FR", "gagné 5-4 t.a.b. hier", "gagné 5 à 4 t.a.b. hier"),
        .init("fr-FR", "à 5 €/pers. demain", "à 5 euros par personne demain"),
        .init("fr-FR", "un colis de 30 x 20 x 10 cm", "un colis de 30 sur 20 sur 10 centimètres"),
        .init("fr-FR", "un écran de 1920 x 1080 pixels", "un écran de 1920 sur 1080 pixels"),
        .init("fr-FR", "du terminal 2E à 7h", "du terminal 2E à 7 heures"),
        .init("fr-FR", "LE 2E ÉTAGE", "LE deuxième ÉTAGE"),
        .init("fr-FR", "au 2E étage", "au deuxième étage"),
        .init("fr-FR", "la S.A.R.L. Dupont", "la S A R L Dupont"),
        .init("fr-FR", "arr. 10h30 à Lyon", "arrivée dix heures trente à Lyon"),
        .init("fr-FR", "3 vol. et 1 200 p. de notes", "3 volumes et mille deux cents pages de notes"),
        .init("fr-FR", "2 fois/j., puis 500 mg/j", "2 fois par jour, puis 500 milligrammes par jour"),
        .init("fr-FR", "environ 9 Mds d'euros", "environ 9 milliards d'euros"),
        .init("fr-FR", "S. A. R. le prince", "Son Altesse Royale le prince"),
        .init("fr-FR", "dans le XVIe arr. de Paris", "dans le seizième arrondissement de Paris"),
    ]

    @Test("are read in French", arguments: french)
    func readsFrench(_ row: TextOfBooksTests.Row) { check(row) }

    static let spanish: [TextOfBooksTests.Row] = [
        .init("es-ES", "detenido el 3/12 sobre las dos", "detenido el tres de diciembre sobre las dos"),
        .init("es-ES", "Contesta antes del vie. a las dos.", "Contesta antes del viernes a las dos."),
        .init("es-ES", asWritten: "Vamos hasta el mar. Hace sol."),
        .init("es-ES", "para 4 pers. o 3 uds. nuevas", "para 4 personas o 3 unidades nuevas"),
        .init("es-ES", "Uds. lo saben.", "ustedes lo saben."),
        .init("es-ES", "1,2 M de visitantes", "1,2 millones de visitantes"),
        .init("es-ES", "Edif. C, hab. 204, IVA incl. hoy", "edificio C, habitación 204, iva incluido hoy"),
        .init(
            "es-ES",
            "móv.: 612 345 678",
            "móv.: seiscientos doce, trescientos cuarenta y cinco, seiscientos setenta y ocho"
        ),
        .init("es-ES", "máx. 8/día", "máximo 8 por día"),
        .init("es-ES", "cargo del 01/11: 3 veces/día", "cargo del uno de noviembre: 3 veces por día"),
        .init("es-ES", "Cuesta $1,500 MXN hoy.", "Cuesta mil quinientos pesos hoy."),
        .init("es-ES", "Ref. 12-3456, cant. 2", "referencia 12-3456, cantidad 2"),
        .init("es-ES", "mide 30 x 20 x 10 cm", "mide 30 por 20 por 10 centímetros"),
        .init("es-ES", "una pantalla de 15,6\" nueva", "una pantalla de 15,6 pulgadas nueva"),
        .init("es-ES", "3 vols. y 1200 págs. de texto", "3 volúmenes y 1200 páginas de texto"),
        .init("es-ES", "con gastos incl. en el precio", "con gastos incluidos en el precio"),
        .init("es-ES", "500 mg c/8 h", "500 miligramos cada 8 horas"),
        .init("es-ES", asWritten: "la zona c/5 norte"),
        .init("es-ES", "en el 1er. piso", "en el primer piso"),
        .init("es-ES", "según el apdo. 2 de la ley", "según el apartado 2 de la ley"),
        .init("es-ES", "gasta 12 GWh y 5 mmol", "gasta 12 gigavatios hora y 5 milimoles"),
    ]

    @Test("are read in Spanish", arguments: spanish)
    func readsSpanish(_ row: TextOfBooksTests.Row) { check(row) }

    static let estonian: [TextOfBooksTests.Row] = [
        .init("et", "võitis ajaga 3 t 12 min", "võitis ajaga 3 tundi 12 minutit"),
        .init("et", "veoauto kaalub 3 t 12 päeva", "veoauto kaalub 3 tonni 12 päeva"),
        .init("et", "peeti kinni 3.12 kell 9:15", "peeti kinni kolmandal detsembril kell üheksa viisteist"),
        .init("et", "sündis 29. veebr. 1960", "sündis kahekümne üheksandal veebruaril 1960"),
        .init("et", "vasta R kell 14.00", "vasta reedel kell neliteist"),
        .init(
            "et",
            "Avatud E–R 9–18, L 10–15, muul ajal mitte",
            "Avatud esmaspäev kuni reede 9 kuni 18, laupäev 10 kuni 15, muul ajal mitte"
        ),
        .init("et", "voor on P, 7. juulil", "voor on pühapäeval, seitsmendal juulil"),
        .init("et", "1 pk küpsetuspulbrit, 2 pk teed", "1 pakk küpsetuspulbrit, 2 pakki teed"),
        .init("et", "2-toaline krt, 8 tabl. päevas", "kahetoaline korter, 8 tabletti päevas"),
        .init("et", "joon 3a ja kell 10–11.30", "joon 3a ja kell 10 kuni üksteist kolmkümmend"),
        .init("et", "alates 3. eluaastast", "alates kolmandast eluaastast"),
        .init(
            "et",
            "registreeru kuni 31.1.25",
            "registreeru kuni kolmekümne esimese jaanuarini kaks tuhat kakskümmend viis"
        ),
        .init("et", "langes 2,3%-ni ja 3,5%-le", "langes kahe koma kolme protsendini ja kolme koma viiele protsendile"),
        .init("et", "5 a tagasi", "5 aastat tagasi"),
        .init("et", "pakk on 30 x 20 x 10 cm", "pakk on 30 korda 20 korda 10 sentimeetrit"),
        .init("et", "üür on 450 €/kuus", "üür on 450 eurot kuus"),
        .init("et", "jõudis 2. ringi", "jõudis teise ringi"),
        .init("et", "löödi 7. minutil", "löödi seitsmendal minutil"),
        .init("et", "elab Pikk tn 5-12 juba ammu", "elab Pikk tänav 5 12 juba ammu"),
        .init("et", "jaam tootis 12 GWh", "jaam tootis 12 gigavatt-tundi"),
        .init("et", "jäi 4 punktiga 3. kohale", "jäi nelja punktiga kolmandale kohale"),
        .init("et", asWritten: "lõike 2 punktis 3 sätestatud"),
        .init("et", "Avatud L 10–15.", "Avatud laupäev 10 kuni 15."),
        .init(
            "et",
            "05.11.2024 toimus koosolek",
            "viiendal novembril kaks tuhat kakskümmend neli toimus koosolek"
        ),
        .init("et", "ta suri 05.11.2024", "ta suri viiendal novembril kaks tuhat kakskümmend neli"),
        .init("et", "langes 2,05 protsendini", "langes kahe koma null viie protsendini"),
        .init(
            "et",
            "12,4 protsendilt 15,1 protsendile",
            "kaheteistkümne koma neljalt protsendilt viieteistkümne koma ühele protsendile"
        ),
        .init("et", "112,3-lt 98,7-le", "saja kaheteistkümne koma kolmelt üheksakümne kaheksa koma seitsmele"),
        .init("et", "3,5-toaline, 2,5-2,7 ja 1,5-kordne", "3,5-toaline, 2,5 kuni 2,7 ja 1,5-kordne"),
        .init("et", "2,5 aasta jooksul", "kahe koma viie aasta jooksul"),
        .init("et", asWritten: "kasvas 2,5 protsenti ja 0,5 punkti, 1,5 korda kuus, 3,14 kuni 4,15"),
        .init("et", "ulatus 3,8 mln euroni", "ulatus kolme koma kaheksa miljoni euroni"),
        .init("et", "jagati 5 mln inimesele", "jagati viie miljonile inimesele"),
        .init("et", "umbes 5 miljoni inimese elu", "umbes viie miljoni inimese elu"),
        .init("et", "2,5 mln inimest ja 3 mln aastat", "2,5 miljonit inimest ja 3 miljonit aastat"),
        .init("et", asWritten: "5 miljonit inimest, lõige 3 miljoni kohta"),
        .init("et", "tõusis 1850 eurole", "tõusis tuhande kaheksasaja viiekümnele eurole"),
        .init("et", "2000 meetri kõrgusel", "kahe tuhande meetri kõrgusel"),
        .init("et", asWritten: "jaanuaris 2011 euro tuli, aastal 1999 euro veel mitte, 1995 inimest"),
        .init("et", asWritten: "Täna on parkla P suletud."),
        .init("et", asWritten: "nagu 2019 eurovalimistel oli"),
        .init("et", asWritten: "ta on prof sportlane"),
        .init("et", asWritten: "Ubuntu 24.04 ja 24.10."),
        .init("et", asWritten: "hind 25.10 on soodne"),
        .init("et", "üle 5 km ja alla 10%", "üle viie kilomeetri ja alla kümne protsendi"),
        .init("et", "alla 18 a vanused", "alla kaheksateistkümne aasta vanused"),
        .init("et", "18 a vanune ja 5 a jooksul", "kaheksateistkümne aasta vanune ja viie aasta jooksul"),
        .init("et", asWritten: "NATO-st ja EL-st."),
        .init("et", "ja st see, st. too", "ja see tähendab see, see tähendab too"),
        .init("et", "kuni 5 km, ligi 10 kg, 18 a hiljem", "kuni 5 kilomeetrit, ligi 10 kilogrammi, 18 aastat hiljem"),
        .init("et", "100 kW võimsusega, 2 km asemel", "saja kilovati võimsusega, kahe kilomeetri asemel"),
        .init("et", "19. saj lõpul ja XX saj algul", "üheksateistkümnenda sajandi lõpul ja kahekümnenda sajandi algul"),
        .init("et", "19. saj. teisel poolel", "üheksateistkümnenda sajandi teisel poolel"),
        .init("et", "5. saj oli rahulik", "viies sajand oli rahulik"),
        .init("et", "enne 1. jaanuari ja pärast 3. vooru", "enne esimest jaanuari ja pärast kolmandat vooru"),
        .init("et", "pärast II maailmasõda läks, enne I vooru.", "pärast teist maailmasõda läks, enne esimest vooru."),
        .init("et", "II maailmasõda, enne II vooru mänge", "teine maailmasõda, enne teise vooru mänge"),
        .init("et", "enne 24. veebruari 2027", "enne kahekümne neljandat veebruari 2027"),
        .init("et", "enne 1. jaanuari pidu, 3. vooru eel", "enne esimese jaanuari pidu, kolmanda vooru eel"),
        .init(
            "et",
            "alates 15.12.2026 ja enne 1.5.2027",
            "alates viieteistkümnendast detsembrist kaks tuhat kakskümmend kuus ja enne esimest maid kaks tuhat kakskümmend seitse"
        ),
        .init("et", "hiljemalt 15.12.2026.", "hiljemalt viieteistkümnendal detsembril kaks tuhat kakskümmend kuus."),
        .init("et", "jättis 8.11.2023 otsusega", "jättis kaheksanda novembri kaks tuhat kakskümmend kolm otsusega"),
        .init("et", "kuupäev 8.11.2023 ja koht", "kuupäev kaheksas november kaks tuhat kakskümmend kolm ja koht"),
        .init(
            "et",
            "istung on N, 14.03 kell 16.30",
            "istung on neljapäeval, neljateistkümnendal märtsil kell kuusteist kolmkümmend"
        ),
        .init("et", "L 10–14, P suletud.", "laupäev 10 kuni 14, pühapäeval suletud."),
        .init("et", asWritten: "vitamiinid N, P ja K, samuti B, 14,03 grammi"),
        .init("et", "maantee 45. km-l ja § 3 ptk-s", "maantee neljakümne viiendal kilomeetril ja paragrahv 3 peatükis"),
        .init("et", "2027. a-ks ja §-le 12", "kahe tuhande kahekümne seitsmendaks aastaks ja paragrahvile 12"),
        .init("et", asWritten: "km-hinnaga sõit, variandid a-st e-ni"),
        .init("et", "prof dr Kask, kab 307, viitenr 88", "professor doktor Kask, kabinet 307, viitenumber 88"),
        .init("et", "jrk nr 7, 45 €/in, 1 Ah", "järjekorra number 7, 45 eurot inimese kohta, 1 ampertund"),
        .init("et", "Ludvig XIV suri", "Ludvig neljateistkümnes suri"),
        .init("et", "kella 9st 11ni, 3le lapsele", "kella üheksast üheteistkümneni, kolmele lapsele"),
        .init(
            "et",
            "kella 9st 11.30ni, kuni 8:05-ni",
            "kella üheksast üheteistkümne kolmekümneni, kuni kaheksa null viieni"
        ),
        .init(
            "et",
            "1 tbl hommikul, 2 tbl õhtul, käive (mln €)",
            "1 tablett hommikul, 2 tabletti õhtul, käive (miljonit €)"
        ),
        .init("et", asWritten: "punkt 11.30ni, versioon 5.30"),
        .init("et", "suletud 31.12 ja 1.01.", "suletud kolmekümne esimesel detsembril ja esimesel jaanuaril."),
        .init("et", "24.12 oleme avatud", "kahekümne neljandal detsembril oleme avatud"),
        .init("et", asWritten: "hind 25.10 ja 26.10 eurot, punkt 25.12 on uus, 14.12 on aeg, 2.12 ja 3.05"),
        .init("et", "5g jahu, 3s ja 10l", "5 grammi jahu, 3 sekundit ja 10 liitrit"),
        .init("et", "võitis 78:71 (20:18)", "võitis 78 71 (kakskümmend kaheksateist)"),
        .init("et", "kaotas 58:65, seis 1:2", "kaotas 58 65, seis 1 2"),
        .init("et", "iga 10 min järel, 5 mm paksuseks", "iga kümne minuti järel, viie millimeetri paksuseks"),
        .init("et", "12 eurot kg kohta, maksumus m² kohta", "12 eurot kilogrammi kohta, maksumus ruutmeetri kohta"),
        .init("et", "muudetud 15.12.2026.", "muudetud viieteistkümnendal detsembril kaks tuhat kakskümmend kuus."),
        .init("et", "nr 40-1187, nr 77-310", "number 40-1187, number 77-310"),
        .init("et", "nr 12-14, nr 98-102, nr 5-120", "number 12 kuni 14, number 98 kuni 102, number 5 kuni 120"),
        .init("et", "alates 50 € tellimusest", "alates viiekümne euro tellimusest"),
        .init("et", "alates 50 € kuus, 50 € ostust", "alates 50 eurot kuus, 50 eurot ostust"),
        .init("et", "alates 50 €, sest", "alates 50 eurot, sest"),
        .init("et", "alates 12 € Tallinnast", "alates 12 eurot Tallinnast"),
        .init("et", "alates 30 € juunist augustini", "alates 30 eurot juunist augustini"),
        .init("et", "alates 20 € ostusummast", "alates kahekümne euro ostusummast"),
        .init("et", "võeti vastu 1.5.1949 (RT)", "võeti vastu esimesel mail tuhat üheksasada nelikümmend üheksa (RT)"),
    ]

    @Test("are read in Estonian", arguments: estonian)
    func readsEstonian(_ row: TextOfBooksTests.Row) { check(row) }
}
