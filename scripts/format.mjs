// `npm run format`: formats every file the way the check expects.
import { prettier } from './check.mjs'
import { prepare, run } from './prepare.mjs'

process.exit(run(prepare({ isForTests: true }), [...prettier, '--write']))
