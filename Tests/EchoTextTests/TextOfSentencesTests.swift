import EchoText
import Testing

/// Sentences as news, novels, letters, recipes, science and laws have them; they were made for these tests.
@Suite("Text of ordinary sentences")
struct TextOfSentencesTests {
    private func check(_ row: TextOfBooksTests.Row) {
        let spoken = TextPreparation(language: row.language).prepare(row.written, at: 20)
        #expect(spoken.saying == row.spoken)
        expectSound(spoken, for: row.written, at: 20)
    }

    static let english: [TextOfBooksTests.Row] = [
        .init("en-US", "World Wars I & II, Phase I/II trials", "World Wars one & two, Phase one/two trials"),
        .init("en-US", "John X. Smith met Eugene V. Debs.", "John X Smith met Eugene V Debs."),
        .init("en-US", "Pope Pius X. Rome mourned.", "Pope Pius the tenth. Rome mourned."),
        .init("en-US", "Under Pius X. Rome mourned.", "Under Pius the tenth. Rome mourned."),
        .init(
            "en-US",
            "He met Edward I. Edward II was weak.",
            "He met Edward the first. Edward the second was weak."
        ),
        .init(
            "en-US",
            "C. V. Raman, V. I. Lenin, C. L. A. Moore and P. D. James met John V. A. Smith.",
            "C V Raman, V I Lenin, C L A Moore and P D James met John V A Smith."
        ),
        .init("en-US", "E. G. Marshall and N.B. Forrest saw the P.M.", "E G Marshall and N B Forrest saw the P M."),
        .init("en-US", asWritten: "She takes vitamin C. I feel better."),
        .init("en-US", "See p. V or p. I, c. 1500.", "See page V or page I, circa fifteen hundred."),
        .init("en-US", "Chapters IX and X, Parts I & II", "Chapters nine and ten, Parts one & two"),
        .init("en-US", "It is 10² m and 10³ km away.", "It is 10 squared metres and 10 cubed kilometres away."),
        .init(
            "en-US",
            "The Fed raised rates by 0.25% on Wed., July 26, 2023, its 11th increase since March 2022.",
            """
            The Fed raised rates by 0.25% on Wednesday, July twenty-sixth, twenty twenty-three, its 11th \
            increase since March twenty twenty-two.
            """
        ),
        .init(
            "en-US",
            "Shares of Acme Corp. fell 3.4% to $12.75, wiping out some $1.2bn in value.",
            """
            Shares of Acme Corporation fell 3.4% to twelve dollars and seventy-five cents, wiping out some \
            one point two billion dollars in value.
            """
        ),
        .init(
            "en-US",
            "At 10:15 p.m. on Sunday, a 4.7-magnitude quake struck north of St. Louis.",
            "At ten fifteen PM on Sunday, a 4.7-magnitude quake struck north of Saint Louis."
        ),
        .init(
            "en-US",
            "Sen. Maria Lopez, 61, won by 1,204 votes in Nov. 2018.",
            "Senator Maria Lopez, 61, won by 1,204 votes in November twenty eighteen."
        ),
        .init(
            "en-US",
            "The bill passed 218-210 in the House and 51–49 in the Senate.",
            "The bill passed 218 to 210 in the House and 51 to 49 in the Senate."
        ),
        .init(
            "en-US",
            "The paper sold 2.5m copies to 1.2bn people; its 250k followers ran 10m towers.",
            "The paper sold 2.5 million copies to 1.2 billion people; its 250 thousand followers ran 10 metres towers."
        ),
        .init(
            "en-US",
            "Rooms start at $99/night, or $2,500/mo. in winter; check-in is 3 PM–11 PM.",
            """
            Rooms start at ninety-nine dollars per night, or two thousand five hundred dollars per month in \
            winter; check-in is 3 PM to 11 PM.
            """
        ),
        .init(
            "en-US",
            "He lived at 221B Baker St., London NW1 6XE, from 1881 to 1904.",
            "He lived at 221B Baker Street, London NW1 6XE, from eighteen eighty-one to nineteen oh four."
        ),
        .init(
            "en-US",
            "Mrs. Dalloway, aged 52, bought 2 doz. roses for 3s. 6d. each.",
            "Missus Dalloway, aged 52, bought 2 dozen roses for 3 shillings and 6 pence each."
        ),
        .init(
            "en-US",
            "“I was born in '74,” she said, “in a house built c. 1720.”",
            "“I was born in seventy-four,” she said, “in a house built circa seventeen twenty.”"
        ),
        .init(
            "en-US",
            "Preheat the oven to 350°F (175°C) and bake for 25–30 minutes.",
            "Preheat the oven to 350 degrees Fahrenheit (175 degrees Celsius) and bake for 25 to 30 minutes."
        ),
        .init(
            "en-US",
            "Add 1½ cups flour, ¾ tsp. salt, 2 tbsp. butter and 1/2 lb. of cheese.",
            """
            Add 1 and one half cups flour, three quarters teaspoon salt, 2 tablespoons butter and one half \
            pound of cheese.
            """
        ),
        .init(
            "en-US",
            "Cut a 9x13-inch pan of brownies, and a 4x6 card.",
            "Cut a 9 by 13-inch pan of brownies, and a 4 by 6 card."
        ),
        .init(
            "en-US",
            "Hi Tom, can we meet Tues. 3/14 at 2pm, or on 3/16, between 9 and 11:30am?",
            """
            Hi Tom, can we meet Tuesday March fourteenth at 2 PM, or on March sixteenth, between 9 and eleven \
            thirty AM?
            """
        ),
        .init(
            "en-US",
            "Add 3/4 of it on 1/2 acre, 9/11 changed it, 24/7.",
            "Add three quarters of it on one half acre, nine eleven changed it, twenty-four seven."
        ),
        .init(
            "en-US",
            "See https://docs.example.com/v2/setup?x=1 and reply to j.doe@example.com by Fri., Dec. 1st.",
            """
            See docs dot example dot com slash v2 slash setup and reply to j dot doe at example dot com by \
            Friday, December first.
            """
        ),
        .init(
            "en-US",
            "The total is $1,349.99 incl. 8.25% tax, i.e. approx. $4.2M a year.",
            """
            The total is one thousand three hundred forty-nine dollars and ninety-nine cents including 8.25% \
            tax, that is approximately four point two million dollars a year.
            """
        ),
        .init(
            "en-US",
            "The sample (n = 45, p < 0.05) was kept at 2.5 × 10⁻³ Pa and −80 °C for 6–8 weeks.",
            """
            The sample (n = 45, p less than 0.05) was kept at 2.5 × 10 to the power of minus 3 pascals and minus \
            80 degrees Celsius for 6 to 8 weeks.
            """
        ),
        .init(
            "en-US",
            "Light travels at 299,792 km/s; take 500 mg/day.",
            "Light travels at 299,792 kilometres per second; take 500 milligrams per day."
        ),
        .init(
            "en-US",
            "Under Art. III and Sec. IX, see Roe v. Wade, 410 U.S. 113 (1973), at pp. 152–53.",
            """
            Under article three and section nine, see Roe versus Wade, 410 U S 113 (nineteen seventy-three), \
            at pages 152 to 53.
            """
        ),
        .init(
            "en-US",
            "King Charles III met Pope John Paul II in 1985, not in MCMXCIV.",
            "King Charles the third met Pope John Paul the second in nineteen eighty-five, not in nineteen ninety-four."
        ),
        .init(
            "en-US",
            "Turn left onto I-95 N, then take Hwy. 1 to 350 W 42nd St. or 12 N. Main St. now.",
            "Turn left onto I-95 north, then take Highway 1 to 350 west 42nd Street or 12 north Main Street now."
        ),
        .init("en-US", "A 60 W LED bulb and a 5 N force", "A 60 watts LED bulb and a 5 newtons force"),
        .init(
            "en-US",
            "Act II, sc. iii, ll. 45–50 show her fear.",
            "Act two, scene three, lines 45 to 50 show her fear."
        ),
        .init("en-US", asWritten: "Call 1-800-GO-FEDEX or text HELP."),
        .init(
            "en-US",
            "A 6-ft fence, a 12-oz. can, a 10-yr. yield and a 100-m dash were 3-in-1.",
            "A 6-foot fence, a 12-ounce can, a 10-year yield and a 100-metre dash were 3-in-1."
        ),
        .init("en-US", "He scored 24 pts. and won 112–98.", "He scored 24 points and won 112 to 98."),
        .init(
            "en-US",
            "The king fled.[3] Then he came back,[12][13] it says [4] in list[0].",
            "The king fled. Then he came back, it says [4] in list[0]."
        ),
        .init(
            "en-US",
            "Vol. XIV, no. 3, pp. xi–xv, 1892.",
            "volume fourteen, number 3, pages eleven to fifteen, 1892."
        ),
        .init(
            "en-US",
            "Open Mon–Fri and Sat.–Sun. from 9; on Sat. 5 May we sat.",
            "Open Monday to Friday and Saturday to Sunday from 9; on Saturday the fifth of May we sat."
        ),
        .init(
            "en-US",
            "The CEO's $3.2-million package was worth €14.5trn, not US$5 million.",
            """
            The CEO's three point two million dollar package was worth fourteen point five trillion euros, not \
            five million US dollars.
            """
        ),
        .init("en-US", "1,000s of them and 100s of fans", "thousands of them and hundreds of fans"),
        .init("en-US", "a 100s timer", "a 100 seconds timer"),
        .init("en-US", "It takes 20s to boot. Wait 30s.", "It takes 20 seconds to boot. Wait 30 seconds."),
        .init("en-US", "for 60s and 70s fans, for 80s kids", "for sixties and seventies fans, for eighties kids"),
        .init(
            "en-US",
            "In the 1st century B.C.E. he, d. 1944, ruled.",
            "In the 1st century B C E he, died nineteen forty-four, ruled."
        ),
        .init("en-US", "1600 Pennsylvania Ave. NW, 5th Ave. now", "1600 Pennsylvania Avenue NW, 5th Avenue now"),
        .init("en-US", "Scene iii of Part ii, in part xi", "Scene three of Part two, in part xi"),
        .init("en-US", asWritten: "See Section 3-2, chapter 5-3 and page 4-3."),
        .init(
            "en-US",
            "Marie died in Oct. '93; it fell in Jun., the worst since Nov. 1981.",
            "Marie died in October ninety-three; it fell in June, the worst since November nineteen eighty-one."
        ),
        .init(
            "en-US",
            "Rm. 204 or Bldg. B, Order #A-1029 shipped 05/06, at 6am–midnight.",
            "Room 204 or Building B, Order number A-1029 shipped May sixth, at 6 AM to midnight."
        ),
        .init(
            "en-US",
            "Voyager is 24bn km away; its signal takes 22h 30m, at $70/bbl and −285 kJ/mol.",
            """
            Voyager is 24 billion kilometres away; its signal takes 22 hours 30 minutes, at seventy dollars per \
            barrel and minus 285 kilojoules per mole.
            """
        ),
        .init(
            "en-US",
            "under s. 5(2) and ss. 7-9, apt. 12B",
            "under section 5(2) and sections 7 to 9, apartment 12B"
        ),
    ]

    @Test("are read in English", arguments: english)
    func readsEnglish(_ row: TextOfBooksTests.Row) { check(row) }

    static let behindArticles: [TextOfBooksTests.Row] = [
        .init("en-US", asWritten: "She scored a 1450 on the SAT."),
        .init("en-US", asWritten: "He won on a 1500 to 1 bet."),
        .init("en-US", asWritten: "It has a 1920 by 1080 screen and a 1366 pixel width."),
        .init("en-US", asWritten: "Use a 1200 grit sandpaper in a 1200 baud modem."),
        .init("en-US", asWritten: "It is a 1300 employee company."),
        .init("en-US", asWritten: "The camera takes a 1600 ISO film."),
        .init("en-US", asWritten: "A 1500 baht fine was paid."),
        .init("en-US", asWritten: "He wrote a 1250 word essay on a 1998 cc engine."),
        .init("en-US", asWritten: "It's a 1650 passenger ferry with an 1850 berth hall."),
        .init("en-US", asWritten: "There is a 1500 limit and a 1400 deposit."),
        .init("en-US", asWritten: "He is an 1845 rated player, she an 1866 Elo one."),
        .init("en-US", asWritten: "It was a 1500 Euro prize and a 1200 Watt heater."),
        .init(
            "en-US",
            "He drives a 1965 Mustang and an 1850 Alfa Romeo on a 1950 road.",
            "He drives a nineteen sixty-five Mustang and an eighteen fifty Alfa Romeo on a nineteen fifty road."
        ),
        .init(
            "en-US",
            "A 1987 study found it; a 1962 letter did not.",
            "A nineteen eighty-seven study found it; a nineteen sixty-two letter did not."
        ),
        .init(
            "en-US",
            "An 1848 revolution, a 1776 pamphlet and a 1620 settlement",
            "An eighteen forty-eight revolution, a seventeen seventy-six pamphlet and a sixteen twenty settlement"
        ),
    ]

    @Test("have years behind “a” only where nothing is counted", arguments: behindArticles)
    func readsYears(_ row: TextOfBooksTests.Row) { check(row) }

    static let others: [TextOfBooksTests.Row] = [
        .init(
            "de-DE",
            "Am 3. Okt. 1990 um 0.00 Uhr wurde Deutschland nach 45 Jahren wiedervereinigt.",
            "Am dritten Oktober neunzehnhundertneunzig um null Uhr wurde Deutschland nach 45 Jahren wiedervereinigt."
        ),
        .init(
            "de-DE",
            "Der DAX schloss bei 15.949,84 Punkten (+0,4 %), der Strom kostete 0,30 €/kWh.",
            "Der dax schloss bei 15.949,84 Punkten (+0,4 %), der Strom kostete dreißig Cent pro Kilowattstunde."
        ),
        .init(
            "de-DE",
            "Gem. § 433 Abs. 1 S. 1 BGB und S. 12 ist er verpflichtet.",
            "gemäß § 433 Absatz 1 Satz 1 BGB und Seite 12 ist er verpflichtet."
        ),
        .init(
            "de-DE",
            "Kaiser Wilhelm II. dankte am 9. November 1918 ab.",
            "Kaiser Wilhelm der zweite dankte am neunten November neunzehnhundertachtzehn ab."
        ),
        .init(
            "de-DE",
            "250 g Mehl, 1/8 l Milch und 1 Prise Salz 30 Min. bei 180 °C backen.",
            "250 Gramm Mehl, ein Achtel Liter Milch und eine Prise Salz 30 Minuten bei 180 Grad Celsius backen."
        ),
        .init(
            "de-DE",
            "Offen Mo.–Fr. 9–17 Uhr und Sa. 10 Uhr, auch Mo-Mi, am Fr., dem 18. Aug.",
            """
            Offen Montag bis Freitag 9 bis 17 Uhr und Samstag 10 Uhr, auch Montag bis Mittwoch, am Freitag, \
            dem achtzehnten August.
            """
        ),
        .init(
            "de-DE",
            "Der Zug fährt um 7:43 Uhr von Gl. 12 ab, der 100-m-Lauf und die 5-km-Strecke auch.",
            """
            Der Zug fährt um sieben Uhr dreiundvierzig von Gleis 12 ab, der 100-Meter-Lauf und die \
            5-Kilometer-Strecke auch.
            """
        ),
        .init(
            "de-DE",
            "Das 2:1 fiel in der 89. Minute nach der 3. Runde, der 3. Sprung, sein 2. Sieg und ihr 3. Kind.",
            """
            Das 2 zu 1 fiel in der neunundachtzigsten Minute nach der dritten Runde, der dritte Sprung, sein \
            zweiter Sieg und ihr drittes Kind.
            """
        ),
        .init(
            "de-DE",
            "Im 18. u. 19. Jh. lebten hier ca. 1,5 Mio. Menschen auf 30.000 km².",
            """
            Im achtzehnten und neunzehnten Jahrhundert lebten hier circa 1,5 Millionen Menschen auf 30.000 \
            Quadratkilometer.
            """
        ),
        .init(
            "de-DE",
            "Das Gesetz v. 12.3.1987 gilt seit dem 1.1.2002 nicht mehr.",
            """
            Das Gesetz vom zwölften März neunzehnhundertsiebenundachtzig gilt seit dem ersten Januar \
            zweitausendzwei nicht mehr.
            """
        ),
        .init(
            "de-DE",
            "Das Bild misst 30x40 cm, kostet 5 €/Woche und 20 €.",
            "Das Bild misst 30 mal 40 Zentimeter, kostet 5 Euro pro Woche und 20 Euro."
        ),
        .init(
            "fr-FR",
            "Le 14 juillet 1789, vers 17h30, la Bastille tomba.",
            "Le 14 juillet 1789, vers dix-sept heures trente, la Bastille tomba."
        ),
        .init(
            "fr-FR",
            "M. Dupont et Mme Durand, 45 ans, habitent au 12 bis, rue de la Paix, 75002 Paris.",
            "Monsieur Dupont et Madame Durand, 45 ans, habitent au 12 bis, rue de la Paix, 75002 Paris."
        ),
        .init(
            "fr-FR",
            "Faites cuire 250 g de pâtes 8 à 10 min dans 2,5 l d'eau à 180 °C, th. 6 au four.",
            """
            Faites cuire 250 grammes de pâtes 8 à 10 minutes dans 2,5 litres d'eau à 180 degrés Celsius, \
            thermostat 6 au four.
            """
        ),
        .init(
            "fr-FR",
            "L'art. 12, al. 2, et l'art. L. 121-1 prévoient 30 000 € d'amende.",
            "L'article 12, alinéa 2, et l'article L 121-1 prévoient trente mille euros d'amende."
        ),
        .init(
            "fr-FR",
            "Rendez-vous mar. 5 sept. à 9h ; tél. 01 42 34 56 78, e-mail : a.martin@exemple.fr.",
            """
            Rendez-vous mardi cinq septembre à 9 heures ; téléphone zéro un, quarante-deux, trente-quatre, \
            cinquante-six, soixante-dix-huit, e-mail : a point martin arobase exemple point fr.
            """
        ),
        .init(
            "fr-FR",
            "Au XIXe s., env. 3/4 des 1 500 000 hab. vivaient à la campagne.",
            """
            Au dix-neuvième siècle, environ trois quarts des un million cinq cent mille habitants vivaient à \
            la campagne.
            """
        ),
        .init(
            "fr-FR",
            "Le match s'est terminé 3-1 ; le 2e but est venu à la 71e minute.",
            "Le match s'est terminé 3 à 1 ; le deuxième but est venu à la soixante et onzième minute."
        ),
        .init(
            "fr-FR",
            "Napoléon Ier et François Ier régnèrent ; la Ve République date de 1958.",
            "Napoléon premier et François premier régnèrent ; la cinquième République date de 1958."
        ),
        .init(
            "fr-FR",
            "Ouvert lun.-ven. de 9h à 18h ; une photo 10x15 cm coûte 2 €/jour.",
            "Ouvert lundi à vendredi de 9 heures à 18 heures ; une photo 10 sur 15 centimètres coûte 2 euros par jour."
        ),
        .init(
            "fr-FR",
            "Il a payé 21 000 euros, soit 1 % de 2,1 M€.",
            "Il a payé vingt et un mille euros, soit 1 % de deux virgule un millions d'euros."
        ),
        .init(
            "es-ES",
            "El 23 de abril de 1616, a las 18.30 h, murió a los 68 años; abre de 9.00 a 14.00 h.",
            "El 23 de abril de 1616, a las dieciocho treinta, murió a los 68 años; abre de nueve horas a catorce horas."
        ),
        .init(
            "es-ES",
            "El Sr. García pagó 1.250,50 € por 21 camisas y 1 chaqueta el 3/5/2022.",
            """
            El señor García pagó mil doscientos cincuenta euros con cincuenta céntimos por veintiuna camisas \
            y una chaqueta el tres de mayo de dos mil veintidós.
            """
        ),
        .init(
            "es-ES",
            "Llame al 91 555 12 34 o al 600 12 34 56, L–V de 9:00 a 14:00 h.",
            """
            Llame al noventa y uno, quinientos cincuenta y cinco, doce, treinta y cuatro o al seiscientos, doce, \
            treinta y cuatro, cincuenta y seis, lunes a viernes de nueve horas a catorce horas.
            """
        ),
        .init(
            "es-ES",
            "La 1.ª edición vendió 100.000 copias; la 2.ª, 1,5 millones.",
            "La primera edición vendió 100.000 copias; la segunda, 1,5 millones."
        ),
        .init(
            "es-ES",
            "Ganaron 3-0 en el minuto 21 y 41 aficionados celebraron en 6x4 m.",
            "Ganaron 3 a 0 en el minuto 21 y cuarenta y un aficionados celebraron en 6 por 4 metros."
        ),
        .init(
            "et",
            "24. veebruaril 1918 kuulutati välja iseseisvus; 2018. a oli 100. aastapäev.",
            """
            kahekümne neljandal veebruaril 1918 kuulutati välja iseseisvus; kahe tuhande \
            kaheksateistkümnendal aastal oli sajas aastapäev.
            """
        ),
        .init(
            "et",
            "Palk tõusis 5,5%, kirjutas Postimees 3. mail kell 14.30, mitte 5. mai.",
            "Palk tõusis 5,5%, kirjutas Postimees kolmandal mail kell neliteist kolmkümmend, mitte viies mai."
        ),
        .init(
            "et",
            "Sega 250 g jahu, 1/2 l piima ja küpseta 180 °C juures 30–35 min.",
            "Sega 250 grammi jahu, pool liitrit piima ja küpseta saja kaheksakümne kraadi juures 30 kuni 35 minutit."
        ),
        .init(
            "et",
            "Seaduse § 15 lg 2 p 3 kohaselt, vt lk 45–47, on tähtaeg 14 päeva.",
            "Seaduse paragrahv 15 lõige 2 punkt 3 kohaselt, vaata lehekülg 45 kuni 47, on tähtaeg 14 päeva."
        ),
        .init(
            "et",
            "Hr Tamm, s. 1975, sõidab E–R kell 7.05 ja 8.15, pilet maksab 4,50 €.",
            """
            härra Tamm, sündinud 1975, sõidab esmaspäev kuni reede kell seitse null viis ja kaheksa \
            viisteist, pilet maksab neli eurot ja viiskümmend senti.
            """
        ),
        .init(
            "de-DE",
            "2 EL Öl, 1 TL Salz und 1 Pck. Hefe, nach 30 Min. Ruhe",
            "2 Esslöffel Öl, ein Teelöffel Salz und ein Päckchen Hefe, nach 30 Minuten Ruhe"
        ),
        .init(
            "de-DE",
            "Friedrich d. Gr. war im J. 1750 König v. Preußen u. Kurfürst v. Brandenburg.",
            "Friedrich der Große war im Jahr 1750 König von Preußen und Kurfürst von Brandenburg."
        ),
        .init("de-DE", "U. Meyer und V. Klein", "U Meyer und V. Klein"),
        .init("de-DE", "Nach §§ 433 ff. BGB gilt das.", "Nach Paragrafen 433 folgende BGB gilt das."),
        .init("de-DE", "Siehe Rn. 5 und Rz. 12.", "Siehe Randnummer 5 und Randziffer 12."),
        .init(
            "de-DE",
            "Dr. Karl V. Meier und Frau Anna X. Huber kamen.",
            "Doktor Karl V Meier und Frau Anna X Huber kamen."
        ),
        .init("de-DE", "Prof. Dr. med. Karl V. Meier kam.", "Professor Doktor med Karl V Meier kam."),
        .init("de-DE", "Kaiser Karl V. Er starb.", "Kaiser Karl der fünfte. Er starb."),
        .init(
            "de-DE",
            "J. D. Vance las D. H. Lawrence, J. M. W. Turner und S. L. Jackson.",
            "J D Vance las D H Lawrence, J M W Turner und S L Jackson."
        ),
        .init(
            "de-DE",
            "D. h., er sieht z. B. Hunde, v. a. Doggen.",
            "das heißt, er sieht zum Beispiel Hunde, vor allem Doggen."
        ),
        .init("et", "K. A. Hermann ja hr Karl V. Mägi", "K A Hermann ja härra Karl V Mägi"),
        .init(
            "fr-FR",
            "M. Charles V. Martin lit J. M. G. Le Clézio.",
            "Monsieur Charles V Martin lit J M G Le Clézio."
        ),
        .init("fr-FR", "Charles V. Il mourut.", "Charles cinq. Il mourut."),
        .init(
            "es-ES",
            "J. D. Salinger, S. V. Pérez y D. José en Washington D. C.",
            "J D Salinger, S V Pérez y don José en Washington D C."
        ),
        .init("es-ES", "En el siglo V A. C. vivía.", "En el siglo cinco antes de Cristo vivía."),
        .init("de-DE", "Der Mann, 20 J. alt, lebt hier.", "Der Mann, 20 Jahre alt, lebt hier."),
        .init("de-DE", "Ein Kind (1 J.), nach 20 J. Haft", "Ein Kind (ein Jahr), nach 20 Jahren Haft"),
        .init(
            "de-DE",
            "Er starb vor 20 J. in Rom, Kinder ab 6 J. zahlen.",
            "Er starb vor 20 Jahren in Rom, Kinder ab 6 Jahren zahlen."
        ),
        .init("de-DE", "Nach §§ 433ff. BGB gilt das.", "Nach Paragrafen 433 folgende BGB gilt das."),
        .init("de-DE", "Das sind 20 J Energie.", "Das sind 20 Joule Energie."),
        .init("de-DE", asWritten: "Es schrieb 1997 J. Becker."),
        .init("de-DE", "Es sind 10² m und 10³ km.", "Es sind 10 hoch zwei Meter und 10 hoch drei Kilometer."),
        .init(
            "fr-FR",
            "1 1/2 tasse, 2 1/2 heures, 2 1/2 kilos",
            "une et demie tasse, 2 et demie heures, 2 et demi kilos"
        ),
        .init("fr-FR", "1½ tasse, 2 ½ h et 10² m", "une et demie tasse, 2 et demie heures et 10 au carré mètres"),
        .init("es-ES", "1 1/2 taza, 2 1/2 horas, 2 1/2 kilos", "una y media taza, 2 y media horas, 2 y medio kilos"),
        .init(
            "es-ES",
            "1 3/4 taza, 1¾ taza, 21 ½ horas",
            "una y tres cuartos taza, una y tres cuartos taza, veintiuna y media horas"
        ),
        .init("es-ES", "1½ taza, 2 ½ h y 10² m", "una y media taza, 2 y media horas y 10 al cuadrado metros"),
        .init("de-DE", "Am Mo., 5.6., um 9 Uhr", "Am Montag, fünfter Juni, um 9 Uhr"),
        .init(
            "fr-FR",
            "La loi n° 78-17, le TGV no 6201, 30 pers. ici",
            "La loi numéro 78-17, le TGV numéro 6201, 30 personnes ici"
        ),
        .init(
            "es-ES",
            "Costó $1,500 a las 7:05 p. m. con 2 cdas. de sal.",
            "Costó mil quinientos dólares a las siete cero cinco P M con 2 cucharadas de sal."
        ),
        .init("es-ES", "a la 1 menos diez, a la 1 y 20", "a la una menos diez, a la una y 20"),
        .init("et", "Ta suri 30. novembril.", "Ta suri kolmekümnendal novembril."),
        .init(
            "et",
            "Lisa 1/4 tl soola, § 12 lg 1 ls 2.",
            "Lisa veerand teelusikatäit soola, paragrahv 12 lõige 1 lause 2."
        ),
        .init("et", "I pooles ja II poolajal, ptk II", "esimeses pooles ja teisel poolajal, peatükk kaks"),
    ]

    static let neighbors: [TextOfBooksTests.Row] = [
        .init("et", asWritten: "Ja 2.50 maksis see ka eile."),
        .init("en-US", asWritten: "Take Vitamin D 1500 IU, or Plan B 1200 times."),
        .init("en-US", asWritten: "He bought two 2x4s there."),
        .init("en-US", "He sat 3/4 of the day.", "He sat three quarters of the day."),
        .init("en-US", "They won the title 4-2.", "They won the title 4 to 2."),
        .init("en-US", "The court decided the case 5-4.", "The court decided the case 5 to 4."),
        .init("fr-FR", asWritten: "Il a un 4x4, selon Dupont et al. 2020 encore."),
        .init("de-DE", asWritten: "Das kostet Fr. 20.50 heute."),
        .init("de-DE", "Kommt am Fr. 9 Uhr oder Fr. 5. Mai", "Kommt am Freitag 9 Uhr oder Freitag fünfter Mai"),
    ]

    @Test("are left as they are where they look like others", arguments: neighbors)
    func readsNeighbors(_ row: TextOfBooksTests.Row) { check(row) }

    @Test("are read in German, French, Spanish and Estonian", arguments: others)
    func readsOthers(_ row: TextOfBooksTests.Row) { check(row) }
}
