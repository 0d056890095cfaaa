import Testing

@testable import WebApp

@Suite("Graph of the page's modules")
struct ModuleGraphTests {
    let graph = ModuleGraph([
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
    ])

    @Test("follows what is imported at once, and nothing that comes when it is wanted")
    func needed() {
        let expected = ["/app.js", "/core/dom.js", "/player/bar.js", "/core/words.js", "/pages/circle.js"]
        #expect(graph.needed(by: ["/app.js"]) == expected)
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
