import Synchronization
import Testing

@testable import WebApp

@Suite("Graph of the page's modules")
struct ModuleGraphTests {
    private static let sources: [String: String] = [
        "/app.js": """
        import { h } from "./core/dom.js";
        import "./player/bar.js";
        import {
          one,
          two,
        } from "./core/words.js";
        const later = () => import("./pages/later.js");
        """,
        "/core/dom.js": "export const text = 'import { no } from \"./no.js\"';\n",
        "/core/words.js": "export { h } from \"./dom.js\";\n/** @type {import(\"./shape.js\").Shape} */\n",
        "/core/shape.js": "",
        "/pages/later.js": "import { h } from \"../core/dom.js\";\n",
        "/player/bar.js": "import { circle } from \"../pages/circle.js\";\n",
        "/pages/circle.js": "import \"../player/bar.js\";\nimport { gone } from \"./gone.js\";\n",
    ]

    let graph = ModuleGraph(Set(Self.sources.keys)) { Self.sources[$0] ?? "" }

    @Test("follows what is imported at once, and nothing that comes when it is wanted")
    func needed() {
        let expected = ["/app.js", "/core/dom.js", "/player/bar.js", "/core/words.js", "/pages/circle.js"]
        #expect(graph.needed(by: ["/app.js"]) == expected)
    }

    @Test("reads a module when something needs it, and no other")
    func onDemand() {
        let read = Mutex<[String]>([])
        let graph = ModuleGraph(Set(Self.sources.keys)) { module in
            read.withLock { $0.append(module) }
            return Self.sources[module] ?? ""
        }
        #expect(read.withLock(\.self) == [])
        let needed = graph.needed(by: ["/pages/later.js"])
        #expect(needed == ["/pages/later.js", "/core/dom.js"])
        #expect(graph.needed(by: ["/pages/later.js"]) == needed)
        #expect(read.withLock(\.self) == needed)
    }

    @Test("names each module once, however many need it")
    func once() {
        let all = graph.needed(by: ["/app.js", "/pages/later.js", "/core/dom.js"])
        #expect(all.prefix(3) == ["/app.js", "/pages/later.js", "/core/dom.js"])
        #expect(Set(all).count == all.count)
    }

    @Test("passes over an address without a module")
    func absent() {
        #expect(graph.needed(by: ["/pages/nothing.js"]).isEmpty)
    }
}
