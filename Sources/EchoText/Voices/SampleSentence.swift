/// A sentence to know a voice by, in the voice's own language.
package enum SampleSentence {
    /// - Parameter language: A BCP 47 tag.
    /// - Returns: A sentence in it; an English one for a language that has none here.
    package static func sentence(in language: String) -> String {
        let primary = language.split(separator: "-").first.map { $0.lowercased() } ?? ""
        return sentences[primary] ?? english
    }

    private static let english = "The evening is quiet, and there is time to listen to a story."

    private static let sentences = [
        "cs": "Večer je tichý a je čas poslouchat příběh.",
        "da": "Aftenen er stille, og der er tid til at lytte til en historie.",
        "de": "Der Abend ist ruhig, und es ist Zeit, einer Geschichte zuzuhören.",
        "en": english,
        "es": "La tarde está tranquila y hay tiempo para escuchar una historia.",
        "et": "Õhtu on vaikne ja on aega kuulata üht lugu.",
        "fi": "Ilta on hiljainen, ja on aikaa kuunnella tarina.",
        "fr": "La soirée est calme, et nous avons le temps d'écouter une histoire.",
        "it": "La sera è tranquilla e c'è tempo per ascoltare una storia.",
        "lt": "Vakaras ramus, ir yra laiko pasiklausyti istorijos.",
        "lv": "Vakars ir kluss, un ir laiks paklausīties stāstu.",
        "nb": "Kvelden er stille, og det er tid til å høre på en historie.",
        "nl": "De avond is rustig en er is tijd om naar een verhaal te luisteren.",
        "pl": "Wieczór jest cichy i jest czas, aby posłuchać opowieści.",
        "pt": "A noite está calma e há tempo para ouvir uma história.",
        "ru": "Вечер тихий, и есть время послушать историю.",
        "sv": "Kvällen är stilla, och det finns tid att lyssna på en berättelse.",
        "uk": "Вечір тихий, і є час послухати історію.",
    ]
}
