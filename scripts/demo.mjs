// `npm run demo`: demo accounts; works with or without a running server.
import { prepare, root, run } from './prepare.mjs'

process.exit(run(prepare(), ['src/main/demo.ts'], { cwd: root }))
