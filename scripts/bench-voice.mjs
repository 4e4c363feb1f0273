// `npm run bench:voice -- [FOLDER]`: measures how well sentences and recordings are understood. FOLDER
// contains labeled data; see bench/voice-sound.ts.
import { resolve } from 'node:path'
import { installSpeech, prepare, root, run } from './prepare.mjs'

const [folder] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const node = prepare({ isForTests: true })
installSpeech()
const text = run(node, ['bench/voice-text.ts'], { cwd: root })
process.exit(
  text ||
    run(
      node,
      [
        'bench/voice-sound.ts',
        ...process.argv.slice(2).map((argument) => (argument === folder ? resolve(folder) : argument)),
      ],
      { cwd: root },
    ),
)
