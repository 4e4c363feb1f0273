// `npm run format`: formats all files so that the check passes.
import { prettier } from './check.mjs'
import { prepare, run } from './prepare.mjs'

process.exit(run(prepare({ isForTests: true }), [...prettier, '--write']))
