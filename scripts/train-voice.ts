// `npm run train:voice`: trains the voice reader on data/voice and writes its weights, along with a hash of
// the data and code, and the lines the local speech engine learns from. `--check` only compares that hash (npm run check). The same data and code always give
// the same weights.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { learn, packed } from '#features/voice/reading/model.ts'
import { LINES_FILE, WEIGHTS_FILE } from '#features/voice/reading/weights.server.ts'
import { examplesOf, fixExamplesOf, found, learnedFrom, taskOf, unreadableOf } from './voice-lab.ts'
import { corrections, faultsOf, labeledIn, SPANISH, voiceFiles } from './voice-data.ts'
import { spokenLines } from './voice-lines.ts'

const HASH_FILE = new URL('weights.sha256', WEIGHTS_FILE)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The code the weights depend on. Changing how results are displayed or thresholded needs no training. */
const CODE = [
  'src/features/voice/reading/{candidates,choices,days,features,language,line,model,money,people,phrases,remarks,sessions,times}.ts',
  'src/features/voice/{,reading/,reading/es/}*.json',
  'src/kernel/plain-spelling.ts',
  'src/features/voice/{holiday,name-spelling,nickname,pronunciation,spoken-number,spoken-sentences,which-language,word-list}.ts',
  'scripts/{train-voice,voice-lab,voice-data,voice-lines}.ts',
  'data/voice/{,es/,corrections/}*.jsonl',
]

const files = CODE.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  .map((name) => name.replaceAll('\\', '/'))
  .sort()
const hash = createHash('sha256')
for (const name of files) hash.update(`${name}\0${readFileSync(`${ROOT}/${name}`, 'utf8')}\0`)
const learned = hash.digest('hex')

if (process.argv.includes('--check')) {
  if (readFileSync(HASH_FILE, 'utf8').trim() === learned) process.exit(0)
  console.error(
    'The weights of the voice reader are not those of its data and code. Run `npm run train:voice`.',
  )
  process.exit(1)
}

const english = labeledIn(voiceFiles())
const all = [...english, ...labeledIn(voiceFiles(SPANISH))]
const faults = all.flatMap((labeled) =>
  faultsOf(labeled).map((fault) => `${labeled.author}: ${labeled.text}: ${fault}`),
)
if (faults.length > 0) throw new Error(faults.join('\n'))
const start = performance.now()
const examples = [
  ...learnedFrom(all)
    .flatMap((labeled, index) => [labeled, ...unreadableOf(labeled, index)])
    .flatMap((labeled) => examplesOf(labeled, found(taskOf(labeled)))),
  ...corrections().flatMap(fixExamplesOf),
]
const weights = packed(learn(examples))
writeFileSync(WEIGHTS_FILE, brotliCompressSync(Buffer.from(weights.buffer)))
writeFileSync(LINES_FILE, `${spokenLines(english).join('\n')}\n`)
writeFileSync(HASH_FILE, `${learned}\n`)
console.log(
  `${all.length} sentences, ${examples.length} questions, ${((performance.now() - start) / 1000).toFixed(0)} s, ` +
    `${weights.filter((weight) => weight !== 0).length} weights`,
)
