// `node scripts/capture.mjs [--only NAME] [--states full,empty]`: takes a picture of every screen and dialog in every state, into
// build/capture, and checks each; exits with 1 if something is wrong. NAME is part of a screen's name, such as tutor or payments.
import { build } from './build.mjs'
import { prepare, run } from './prepare.mjs'

const node = prepare({ isForTests: true })
build(node)
process.exit(run(node, ['scripts/capture.ts', ...process.argv.slice(2)]))
