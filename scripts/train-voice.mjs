// `npm run train:voice`: learns the weights of the voice reader from data/voice, in less than a minute (scripts/train-voice.ts).
import { prepare, root, run } from './prepare.mjs'

process.exit(run(prepare(), ['scripts/train-voice.ts'], { cwd: root }))
