/// A sentence to know a voice by, in the voice's own language.
package enum SampleSentence {
    /// - Parameter language: A BCP 47 tag.
    /// - Returns: A sentence in the language; an English one if there is none.
    package static func sentence(in language: String) -> String {
        let primary = language.split(separator: "-").first.map { $0.lowercased() } ?? ""
        return sentences[primary] ?? english
    }

    private static let english = "The evening is quiet, and there is time to listen to a story."

    private static let sentences = [
        "ar": "المساء هادئ، وهناك وقت للاستماع إلى قصة.",
        "ca": "El vespre és tranquil i hi ha temps per escoltar una història.",
        "cs": "Večer je tichý a je čas poslouchat příběh.",
        "cy": "Mae'r noson yn dawel, ac mae amser i wrando ar stori.",
        "da": "Aftenen er stille, og der er tid til at lytte til en historie.",
        "de": "Der Abend ist ruhig, und es ist Zeit, einer Geschichte zuzuhören.",
        "el": "Το βράδυ είναι ήσυχο και υπάρχει χρόνος να ακούσουμε μια ιστορία.",
        "en": english,
        "es": "La tarde está tranquila y hay tiempo para escuchar una historia.",
        "et": "Õhtu on vaikne ja on aega kuulata üht lugu.",
        "eu": "Arratsaldea lasaia da, eta istorio bat entzuteko denbora dago.",
        "fa": "عصر آرام است و برای شنیدن یک داستان وقت هست.",
        "fi": "Ilta on hiljainen, ja on aikaa kuunnella tarina.",
        "fr": "La soirée est calme, et nous avons le temps d'écouter une histoire.",
        "hi": "शाम शांत है, और कहानी सुनने का समय है।",
        "hu": "Az este csendes, és van idő meghallgatni egy történetet.",
        "id": "Malam ini tenang, dan ada waktu untuk mendengarkan sebuah cerita.",
        "is": "Kvöldið er kyrrlátt og það er tími til að hlusta á sögu.",
        "it": "La sera è tranquilla e c'è tempo per ascoltare una storia.",
        "ka": "საღამო წყნარია და არის დრო ამბის მოსასმენად.",
        "kk": "Кеш тыныш, әңгіме тыңдауға уақыт бар.",
        "ku": "Êvar aram e û dem heye ku mirov guh bide çîrokekê.",
        "lb": "Den Owend ass roueg, an et ass Zäit, eng Geschicht ze lauschteren.",
        "lt": "Vakaras ramus, ir yra laiko pasiklausyti istorijos.",
        "lv": "Vakars ir kluss, un ir laiks paklausīties stāstu.",
        "ml": "സായാഹ്നം ശാന്തമാണ്, ഒരു കഥ കേൾക്കാൻ സമയമുണ്ട്.",
        "nb": "Kvelden er stille, og det er tid til å høre på en historie.",
        "ne": "साँझ शान्त छ, र कथा सुन्ने समय छ।",
        "nl": "De avond is rustig en er is tijd om naar een verhaal te luisteren.",
        "no": "Kvelden er stille, og det er tid til å høre på en historie.",
        "pl": "Wieczór jest cichy i jest czas, aby posłuchać opowieści.",
        "pt": "A noite está calma e há tempo para ouvir uma história.",
        "ro": "Seara este liniștită și este timp să ascultăm o poveste.",
        "ru": "Вечер тихий, и есть время послушать историю.",
        "sk": "Večer je tichý a je čas počúvať príbeh.",
        "sl": "Večer je tih in čas je, da poslušamo zgodbo.",
        "sq": "Mbrëmja është e qetë dhe ka kohë për të dëgjuar një histori.",
        "sr": "Вече је тихо и има времена да се послуша прича.",
        "sv": "Kvällen är stilla, och det finns tid att lyssna på en berättelse.",
        "sw": "Jioni ni tulivu, na kuna wakati wa kusikiliza hadithi.",
        "tr": "Akşam sakin ve bir hikâye dinlemek için zaman var.",
        "uk": "Вечір тихий, і є час послухати історію.",
        "ur": "شام پرسکون ہے اور کہانی سننے کا وقت ہے۔",
        "vi": "Buổi tối yên tĩnh, và có thời gian để nghe một câu chuyện.",
        "zh": "夜晚很安静，有时间听一个故事。",
    ]
}
