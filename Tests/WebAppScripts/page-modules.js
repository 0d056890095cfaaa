import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { gzipSync } from "node:zlib";

/** The folder of the page's files. */
export const root = new URL("../../Sources/WebApp/Resources/www/", import.meta.url);

/** The compiler that checks the page's types, next to the program `tsc`. */
const ts = createRequire(compilerPath())("../lib/typescript.js");

function compilerPath() {
  const places = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "tsc"));
  const program = places.find((place) => existsSync(place));
  if (program === undefined) throw new Error("tsc is not on the path: see CONTRIBUTING.md");
  return realpathSync(program);
}

/** @returns {string[]} The page's modules by their paths, such as `core/dom.js`, in alphabetical order. */
export function allModules() {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".js")).sort();
}

/** @param {string} path */
export function sourceOf(path) {
  return readFileSync(new URL(path, root), "utf8");
}

/**
 * The modules that a module imports.
 *
 * @param {string} path
 * @returns {{ atOnce: string[], later: string[] }} `atOnce` are loaded before it runs; `later` are imported by
 * `import()`.
 */
export function importsOf(path) {
  const atOnce = /** @type {string[]} */ ([]);
  const later = /** @type {string[]} */ ([]);
  const add = (/** @type {string[]} */ list, /** @type {any} */ specifier) => {
    list.push(new URL(specifier.text, new URL(path, root)).href.slice(root.href.length));
  };
  visit(parsed(sourceOf(path)), (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) add(atOnce, node.moduleSpecifier);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(later, node.arguments[0]);
  });
  return { atOnce, later };
}

/**
 * The functions of a module, the longest first.
 *
 * @param {string} source
 * @returns {{ name: string, line: number, lines: number }[]} `line` is its first one, not counting a comment above.
 */
export function functionsOf(source) {
  const file = parsed(source);
  const lineAt = (/** @type {number} */ place) => file.getLineAndCharacterOfPosition(place).line + 1;
  const found = /** @type {{ name: string, line: number, lines: number }[]} */ ([]);
  visit(file, (node) => {
    if (!ts.isFunctionLike(node) || !node.body) return;
    const line = lineAt(node.getStart(file));
    found.push({ name: node.name?.getText(file) ?? "a function without a name", line, lines: lineAt(node.end) - line + 1 });
  });
  return found.sort((one, other) => other.lines - one.lines);
}

/** @param {string} source */
function parsed(source) {
  return ts.createSourceFile("module.js", source, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
}

/**
 * @param {any} node
 * @param {(node: any) => void} seen
 */
function visit(node, seen) {
  seen(node);
  ts.forEachChild(node, (/** @type {any} */ child) => visit(child, seen));
}

/**
 * Modules with all their imports, each once.
 *
 * @param {Iterable<string>} paths
 * @param {(path: string) => string[]} imports
 * @returns {Set<string>}
 */
export function withImports(paths, imports = (path) => importsOf(path).atOnce) {
  const found = new Set(paths);
  for (const path of found) for (const one of imports(path)) found.add(one);
  return found;
}

/**
 * Import cycles, the shortest for each module.
 *
 * @param {readonly string[]} modules
 * @param {(path: string) => string[]} imports
 * @returns {string[][]}
 */
export function cyclesAmong(modules, imports) {
  return modules.flatMap((module) => {
    const way = wayBack(module, imports);
    // A cycle is found once for each of its modules; the alphabetically first one reports it.
    return way === null || way.some((one) => one < module) ? [] : [way];
  });
}

/**
 * @param {string} module
 * @param {(path: string) => string[]} imports
 * @returns {string[] | null} The modules on the shortest import path from a module to itself; `null` when there is
 * none.
 */
function wayBack(module, imports) {
  const ways = [[module]];
  const seen = new Set();
  for (const way of ways) {
    for (const next of imports(way[way.length - 1])) {
      if (next === module) return way;
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return null;
}

/**
 * The transferred kilobytes of files: scripts without whole-line comments, everything compressed.
 *
 * @param {Iterable<string>} paths
 */
export function kilobytesSent(paths) {
  let sum = 0;
  for (const path of new Set(paths)) sum += gzipSync(asSent(path)).length;
  return sum / 1_000;
}

/**
 * A file as the server's `SentScript` reduces it.
 *
 * @param {string} path
 */
function asSent(path) {
  if (!path.endsWith(".js")) return readFileSync(new URL(path, root));
  return sourceOf(path).replace(/^[ \t]*(?:\/\*\*(?:[^*]|\*(?!\/))*\*\/[ \t]*|\/\/.*)$/gm, "");
}
