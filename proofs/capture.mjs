// `node proofs/capture.mjs [--only NAMES] [--states full,empty] [--widths 390,1280] [--continue]`: takes a
// screenshot of every screen and dialog in every state, width and theme, saves it in build/capture, and
// checks the screen. Exits with 1 if it finds a problem. NAMES is a regular expression such as
// "tutor|payments". --continue resumes an interrupted run and keeps what's finished.
import { build } from '../scripts/build.mjs'
import { prepare, run } from '../scripts/prepare.mjs'

const node = prepare({ isForTests: true })
build(node)
process.exit(run(node, ['proofs/capture.ts', ...process.argv.slice(2)]))
