"""The parts of the benchmark that speak, the peers they are compared with, and the bars they must meet."""

import contextlib

import measure
import peers
from ours import PROGRAM, ROOT, SCRATCH, OUR_ENVIRONMENT
from ours import first_audio, own_text, speak_command, speak_program, speak_warm, text_file, warm_runs
from table import Row, median

SENTENCE, LONG, THOUSAND, BOOK = 10, 450, 1_000, 10_000  # words; LONG is more than a minute of speech
BOOK_OF_PEER_RUNS = 1  # it takes minutes, and no bar uses its median
MEMORY = 320  # megabytes, maximum, however long a sentence or a text is


def times(results, what="wall"):
    return median([result[what] for result in results])


def in_words(who, results):
    """The length of the speech: models with random noise vary it a little for the same words."""
    audio, share = times(results, "audio"), median([result["wall"] / result["audio"] for result in results])
    return f"{who} {audio:.0f} s of audio at {share:.4f} of its time"


def long_text(bench, voice, python):
    if bench.wanted("long text, warm"):
        with contextlib.ExitStack() as stack:
            two = stack.enter_context(contextlib.closing(peers.Sherpa(python, voice, 2)))
            one = stack.enter_context(contextlib.closing(peers.Sherpa(python, voice, 1)))
            server = stack.enter_context(contextlib.closing(peers.PiperServer(python, voice)))
            file = text_file(LONG)
            text = file.read_text(encoding="utf-8")
            taken, note = bench.in_turn(
                f"long text ({LONG} words), warm",
                ours=lambda: speak_warm("narrate", file, voice),
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
            against("sherpa-onnx's Python API, 2 threads", "two", "faster", 1.6),
            against("sherpa-onnx's Python API, 1 thread", "one", "faster", 2.2),
            against("piper.http_server", "server", "faster", 1.4),
        )
    if bench.wanted("long text, program"):
        taken, note = bench.in_turn(
            f"long text ({LONG} words), program",
            ours=lambda: speak_program(text_file(LONG), voice),
            piper=lambda: measure.run(peers.piper_program(python, voice, text_file(LONG), SCRATCH / "peer.wav")),
        )
        bench.add(
            Row("long text, program: piper", "s", median(taken["ours"]), median(taken["piper"]), "faster", 1.25, note)
        )


def worker(bench, voice, _):
    """The cost of running the engine in a process of its own."""
    if not bench.wanted("long text, worker"):
        return
    # Both run alternately in one process: separate runs differ by more than the bar allows, and even five averaged ones
    # do.
    taken, note = bench.in_turn(
        f"long text ({LONG} words), worker",
        1,
        both=lambda: warm_runs("narrate-both", text_file(LONG), voice, bench.often),
    )
    rounds = taken["both"][0] if taken["both"] else []
    bench.add(
        Row(
            "long text, warm: the same without a worker process",
            "s",
            times(rounds, "worker"),
            times(rounds, "in_process"),
            "share",
            1.03,
            note or f"median of {bench.often} runs",
        )
    )


def short_sentence(bench, voice, python):
    file = text_file(SENTENCE)
    if bench.wanted("short sentence, warm"):
        with contextlib.ExitStack() as stack:
            two = stack.enter_context(contextlib.closing(peers.Sherpa(python, voice, 2)))
            server = stack.enter_context(contextlib.closing(peers.PiperServer(python, voice)))
            text = file.read_text(encoding="utf-8")
            taken, note = bench.in_turn(
                f"short sentence ({SENTENCE} words), warm",
                bench.often,
                ours=lambda: speak_warm("narrate", file, voice),
                two=lambda: two.speak(text),
                server=lambda: server.speak(text),
            )
        ours, note = times(taken["ours"]), note or f"median of {bench.often} runs"
        sherpa, server = times(taken["two"]), times(taken["server"])
        bench.add(
            Row("short sentence, warm: sherpa-onnx's Python API, 2 threads", "s", ours, sherpa, "faster", 1.0, note),
            Row("short sentence, warm: piper.http_server", "s", ours, server, note=note),
        )
    if bench.wanted("short sentence, program"):
        taken, note = bench.in_turn(
            f"short sentence ({SENTENCE} words), program",
            ours=lambda: speak_program(file, voice),
            piper=lambda: measure.run(peers.piper_program(python, voice, file, SCRATCH / "peer.wav")),
        )
        bench.add(Row("short sentence, program: piper", "s", median(taken["ours"]), median(taken["piper"]), note=note))


def first_sound(bench, voice, python):
    if not bench.wanted("first audio"):
        return
    sentence, clauses, thousand = text_file(SENTENCE), own_text("first-sentence"), text_file(THOUSAND)
    with contextlib.closing(peers.PiperServer(python, voice)) as server:

        def peer(file):
            text = file.read_text(encoding="utf-8")
            return lambda: server.speak(text)["first"]

        taken, note = bench.in_turn(
            "first audio, warm",
            bench.often,
            ours_10=lambda: first_audio(sentence, voice),
            server_10=peer(sentence),
            ours_250=lambda: first_audio(clauses, voice),
            server_250=peer(clauses),
            ours_10000=lambda: first_audio(text_file(BOOK), voice),
        )
        long, long_note = bench.in_turn(
            "first audio of 1,000 words, warm", ours=lambda: first_audio(thousand, voice), server=peer(thousand)
        )
    figures = {name: median(result) for name, result in taken.items()}
    note = note or f"median of {bench.often} runs"

    def row(what, ours, peer, compare, bar):
        return Row(f"first audio of {what}", "s", figures[ours], figures[peer], compare, bar, note)

    bench.add(
        row("10 words: piper.http_server", "ours_10", "server_10", "limit", 0.15),
        row("a sentence of 250 symbols: piper.http_server of its paragraph", "ours_250", "server_250", "limit", 0.45),
        Row(
            "first audio of 1,000 words: piper.http_server",
            "s",
            median(long["ours"]),
            median(long["server"]),
            "share",
            0.03,
            long_note,
        ),
        row("10,000 words: our own of 10", "ours_10000", "ours_10", "share", 1.1),
    )


def memory(bench, voice, python):
    if not bench.wanted("memory"):
        return
    sentence, long, book = text_file(SENTENCE), own_text("long-sentence"), text_file(BOOK)

    def ours(file):
        return lambda: measure.peak_memory(speak_command(file, voice), env=OUR_ENVIRONMENT)

    def piper(file):
        return lambda: measure.peak_memory(peers.piper_program(python, voice, file, SCRATCH / "peer.wav"))

    taken, note = bench.in_turn(
        "memory of a sentence",
        ours_10=ours(sentence),
        piper_10=piper(sentence),
        ours_500=ours(long),
        piper_500=piper(long),
    )
    books, book_note = bench.in_turn("memory, 10,000 words", ours=ours(book))
    peer, peer_note = bench.in_turn("memory, 10,000 words, peer", BOOK_OF_PEER_RUNS, piper=piper(book))
    figures = {name: median(result) for name, result in {**taken, **books, **peer}.items()}
    once = book_note or peer_note or f"peer: {BOOK_OF_PEER_RUNS} run"

    def row(what, ours, peer, bar, note):
        return Row(f"peak memory, {what}: piper", "MB", figures[ours], figures[peer], "limit", bar, note)

    bench.add(
        row("10 words", "ours_10", "piper_10", None, note),
        row("one sentence of 500 symbols", "ours_500", "piper_500", MEMORY, note),
        row("10,000 words", "ours", "piper", MEMORY, once),
    )


def espeak(bench):
    if not bench.wanted("espeak-ng"):
        return

    def peer(words):
        return lambda: measure.run(["espeak-ng", "-v", "en-us", "-f", text_file(words), "-w", SCRATCH / "peer.wav"])

    def ours(words):
        return lambda: speak_program(text_file(words), "espeak/en-US")

    for words in (SENTENCE, BOOK):
        taken, note = bench.in_turn(f"espeak-ng, {words:,} words", ours=ours(words), peer=peer(words))
        name = f"espeak-ng voice, {words:,} words, program: espeak-ng"
        bench.add(Row(name, "s", median(taken["ours"]), median(taken["peer"]), note=note))
    taken, note = bench.in_turn(
        "espeak-ng, warm", ours=lambda: speak_warm("espeak", text_file(THOUSAND), "espeak/en-US"), peer=peer(THOUSAND)
    )
    name = "espeak-ng voice, 1,000 words, warm: espeak-ng's program"
    bench.add(Row(name, "s", times(taken["ours"]), median(taken["peer"]), note=note))


def start_up(bench):
    if not bench.wanted("start-up"):
        return
    # The first run installs the natural voice here rather than among the user's voices.
    launched = {**OUR_ENVIRONMENT, "ECHOTEXT_VOICES": str(SCRATCH / "launcher-voices")}
    taken, note = bench.in_turn(
        "start-up",
        repeat=bench.often,
        program=lambda: measure.run([PROGRAM, "--version"]),
        launcher=lambda: measure.run([ROOT / "echotext", "--version"], env=launched),
        espeak=lambda: measure.run(["espeak-ng", "--version"]),
    )
    program, launcher, peer = (median(taken[name]) for name in ("program", "launcher", "espeak"))
    note = note or f"median of {bench.often} runs"
    bench.add(
        Row("start-up (--version): espeak-ng", "s", program, peer, note=note),
        Row("start-up from the checkout (./echotext --version)", "s", launcher, None, "limit", 0.3, note),
    )
