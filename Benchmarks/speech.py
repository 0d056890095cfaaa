"""The parts of the benchmark that speak: what each measures, beside whom, and the bars it has to clear."""

import contextlib

import measure
import peers
from ours import PROGRAM, ROOT, SCRATCH, OUR_ENVIRONMENT
from ours import first_audio, speak_command, speak_program, speak_warm, text_file, warm_runs
from table import Row, median

SENTENCE, HUNDRED, LONG, THOUSAND, BOOK = 10, 100, 450, 1_000, 10_000  # words; LONG is more than a minute of speech
BOOK_RUNS = 3  # each takes minutes
BOOK_OF_PEER_RUNS = 1  # a peer takes longer still, and no bar asks for its median


def times(results, what="wall"):
    return median([result[what] for result in results])


def in_words(who, results):
    """How much speech it was: models that roll dice give each a little more or less for the same words."""
    audio, share = times(results, "audio"), median([result["wall"] / result["audio"] for result in results])
    return f"{who} {audio:.0f} s of audio at {share:.4f} of its time"


def long_text(bench, voice, python):
    if bench.wanted("long text, warm"):
        with contextlib.ExitStack() as stack:
            two = stack.enter_context(contextlib.closing(peers.Sherpa(python, voice, 2)))
            one = stack.enter_context(contextlib.closing(peers.Sherpa(python, voice, 1)))
            server = stack.enter_context(contextlib.closing(peers.PiperServer(python, voice)))
            text = text_file(LONG).read_text(encoding="utf-8")
            taken, note = bench.in_turn(
                f"long text ({LONG} words), warm",
                ours=lambda: speak_warm("narrate", LONG, voice),
                two=lambda: two.speak(text),
                one=lambda: one.speak(text),
                server=lambda: server.speak(text),
            )
        ours = times(taken["ours"])

        def against(name, key, compare, bar):
            audio = "; ".join(in_words(who, taken[of]) for who, of in [("ours", "ours"), ("peer", key)] if taken[of])
            peer = times(taken[key])
            return Row(f"long text, warm: {name}", "s", ours, peer, compare, bar, note or audio)

        bench.add(
            against("sherpa-onnx's Python API, 2 threads", "two", "faster", 1.1),
            against("sherpa-onnx's Python API, 1 thread", "one", "faster", 1.7),
            against("piper.http_server", "server", "faster", 1.0),
        )
    if bench.wanted("long text, program"):
        taken, note = bench.in_turn(
            f"long text ({LONG} words), program",
            ours=lambda: speak_program(LONG, voice),
            piper=lambda: measure.run(peers.piper_program(python, voice, text_file(LONG), SCRATCH / "peer.wav")),
        )
        bench.add(
            Row("long text, program: piper", "s", median(taken["ours"]), median(taken["piper"]), "faster", 1.0, note)
        )


def worker(bench, voice, _):
    """What it costs that the engine is in a process of its own."""
    if not bench.wanted("long text, worker"):
        return
    # Both in one process, in turn: runs apart differ by more than the bar leaves. Five came out at 0.99 and 1.04 times.
    taken, note = bench.in_turn(
        f"long text ({LONG} words), worker",
        1,
        both=lambda: warm_runs("narrate-both", LONG, voice, bench.often),
    )
    rounds = taken["both"][0] if taken["both"] else []
    bench.add(
        Row(
            "long text, warm: the same without a worker process",
            "s",
            times(rounds, "worker"),
            times(rounds, "in_process"),
            "share",
            1.02,
            note or f"median of {bench.often} runs",
        )
    )


def short_sentence(bench, voice, python):
    if bench.wanted("short sentence, warm"):
        with contextlib.ExitStack() as stack:
            two = stack.enter_context(contextlib.closing(peers.Sherpa(python, voice, 2)))
            server = stack.enter_context(contextlib.closing(peers.PiperServer(python, voice)))
            text = text_file(SENTENCE).read_text(encoding="utf-8")
            taken, note = bench.in_turn(
                f"short sentence ({SENTENCE} words), warm",
                ours=lambda: speak_warm("narrate", SENTENCE, voice),
                two=lambda: two.speak(text),
                server=lambda: server.speak(text),
            )
        ours = times(taken["ours"])
        bench.add(
            Row("short sentence, warm: sherpa-onnx's Python API, 2 threads", "s", ours, times(taken["two"]), note=note),
            Row("short sentence, warm: piper.http_server", "s", ours, times(taken["server"]), note=note),
        )
    if bench.wanted("short sentence, program"):
        taken, note = bench.in_turn(
            f"short sentence ({SENTENCE} words), program",
            ours=lambda: speak_program(SENTENCE, voice),
            piper=lambda: measure.run(peers.piper_program(python, voice, text_file(SENTENCE), SCRATCH / "peer.wav")),
        )
        bench.add(Row("short sentence, program: piper", "s", median(taken["ours"]), median(taken["piper"]), note=note))


def first_sound(bench, voice, python):
    if not bench.wanted("first audio"):
        return
    with contextlib.closing(peers.PiperServer(python, voice)) as server:
        sentence, thousand = (text_file(words).read_text(encoding="utf-8") for words in (SENTENCE, THOUSAND))
        taken, note = bench.in_turn(
            "first audio, warm",
            ours_10=lambda: first_audio(SENTENCE, voice),
            server_10=lambda: server.speak(sentence)["first"],
            ours_1000=lambda: first_audio(THOUSAND, voice),
            server_1000=lambda: server.speak(thousand)["first"],
            ours_10000=lambda: first_audio(BOOK, voice),
        )
    figures = {name: median(result) for name, result in taken.items()}
    bench.add(
        Row(
            "first audio of 10 words: piper.http_server",
            "s",
            figures["ours_10"],
            figures["server_10"],
            "limit",
            0.25,
            note,
        ),
        Row(
            "first audio of 1,000 words: piper.http_server",
            "s",
            figures["ours_1000"],
            figures["server_1000"],
            "share",
            0.03,
            note,
        ),
        Row(
            "first audio of 10,000 words: our own of 10",
            "s",
            figures["ours_10000"],
            figures["ours_10"],
            "share",
            1.1,
            note,
        ),
    )


def memory(bench, voice, python):
    if not bench.wanted("memory"):
        return

    def ours(words):
        return lambda: measure.peak_memory(speak_command(words, voice), env=OUR_ENVIRONMENT)

    def piper(words):
        return lambda: measure.peak_memory(peers.piper_program(python, voice, text_file(words), SCRATCH / "peer.wav"))

    short, note = bench.in_turn("memory, 10 words", ours_10=ours(SENTENCE), piper_10=piper(SENTENCE))
    # Which of so few phrases meet is up to chance, and with it the memory they take: 280 to 320 MB with the bench voice.
    hundred, hundred_note = bench.in_turn("memory, 100 words", bench.often, ours=ours(HUNDRED))
    book, book_note = bench.in_turn("memory, 10,000 words", BOOK_RUNS, ours=ours(BOOK))
    peer, peer_note = bench.in_turn("memory, 10,000 words, peer", BOOK_OF_PEER_RUNS, piper=piper(BOOK))
    ours_100, ours_book = median(hundred["ours"]), median(book["ours"])
    once = peer_note or f"median of {BOOK_RUNS} runs; peer: {BOOK_OF_PEER_RUNS} run"
    bench.add(
        Row(
            "peak memory, 10 words: piper",
            "MB",
            median(short["ours_10"]),
            median(short["piper_10"]),
            "limit",
            420,
            note,
        ),
        Row(
            "peak memory, 10,000 words: piper", "MB", ours_book, median(peer["piper"]), "limit", 420, book_note or once
        ),
        Row(
            "peak memory, 10,000 words: our own of 100",
            "MB",
            ours_book,
            ours_100,
            "share",
            1.1,
            book_note or hundred_note or f"median of {BOOK_RUNS} runs; 100 words: of {bench.often}",
        ),
    )


def espeak(bench):
    if not bench.wanted("espeak-ng"):
        return

    def peer(words):
        return lambda: measure.run(["espeak-ng", "-v", "en-us", "-f", text_file(words), "-w", SCRATCH / "peer.wav"])

    def ours(words):
        return lambda: speak_program(words, "espeak/en-US")

    for words in (SENTENCE, BOOK):
        taken, note = bench.in_turn(f"espeak-ng, {words:,} words", ours=ours(words), peer=peer(words))
        name = f"espeak-ng voice, {words:,} words, program: espeak-ng"
        bench.add(Row(name, "s", median(taken["ours"]), median(taken["peer"]), note=note))
    taken, note = bench.in_turn(
        "espeak-ng, warm", ours=lambda: speak_warm("espeak", THOUSAND, "espeak/en-US"), peer=peer(THOUSAND)
    )
    name = "espeak-ng voice, 1,000 words, warm: espeak-ng's program"
    bench.add(Row(name, "s", times(taken["ours"]), median(taken["peer"]), note=note))


def start_up(bench):
    if not bench.wanted("start-up"):
        return
    taken, note = bench.in_turn(
        "start-up",
        repeat=bench.often,
        program=lambda: measure.run([PROGRAM, "--version"]),
        launcher=lambda: measure.run([ROOT / "echotext", "--version"]),
        espeak=lambda: measure.run(["espeak-ng", "--version"]),
    )
    program, launcher, peer = (median(taken[name]) for name in ("program", "launcher", "espeak"))
    note = note or f"median of {bench.often} runs"
    bench.add(
        Row("start-up (--version): espeak-ng", "s", program, peer, note=note),
        Row("start-up from the checkout (./echotext --version)", "s", launcher, None, "limit", 0.3, note),
    )
