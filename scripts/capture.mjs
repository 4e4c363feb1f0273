// `node scripts/capture.mjs [--only NAMES] [--states full,empty] [--widths 390,1280]`: takes screenshots of
// every screen and dialog in every state, saves them in build/capture, and checks each screen. Exits with 1
// if it finds a problem. NAMES is a regular expression such as "tutor|payments".
import { build } from './build.mjs'
import { prepare, run } from './prepare.mjs'

const node = prepare({ isForTests: true })
build(node)
process.exit(run(node, ['scripts/capture.ts', ...process.argv.slice(2)]))
