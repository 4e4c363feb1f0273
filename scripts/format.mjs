// `npm run format`: lays out every file the way the check wants it.
import { prettier } from './check.mjs'
import { prepare, run } from './prepare.mjs'

process.exit(run(prepare(), [...prettier, '--write']))
