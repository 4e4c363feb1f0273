// Measures how well sentences are read: `node bench/voice-text.ts [--share=100] [--show] [FILE.jsonl ...]`.
// Without files, it leaves out a quarter of the authors at a time, trains on everyone else's sentences, and
// reads the sentences it left out. Then it reads data/voice/unseen and its folder with the committed weights. With files, it
// reads only those. --share sets the percentage of the other authors' sentences to train on, which gives the
// learning curve; 0 tests the parsers alone.
import { readFileSync } from 'node:fs'
import { learn, packed } from '#features/voice/reading/model.ts'
import { loadWeights } from '#features/voice/reading/weights.server.ts'
import { labeledIn, SPANISH, voiceFiles } from '../scripts/voice-data.ts'
import { examplesOf, found, learnedFrom, taskOf } from '../scripts/voice-lab.ts'
import { report, type Score, scoreOf } from './voice-score.ts'

const FOLDS = 4
const option = (name: string): string | undefined =>
  process.argv.find((one) => one.startsWith(`--${name}=`))?.split('=')[1]
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const shares = (option('share') ?? '100').split(',').map(Number)

if (files.length > 0) {
  const weights = loadWeights()
  for (const file of files) {
    const name = file.split('/').at(-1) ?? file
    show(
      name,
      labeledIn([{ author: name, text: readFileSync(file, 'utf8') }]).map((labeled) =>
        scoreOf(weights, labeled),
      ),
    )
  }
} else {
  const all = learnedFrom([...labeledIn(voiceFiles()), ...labeledIn(voiceFiles(SPANISH))])
  const examples = all.map((labeled) => examplesOf(labeled, found(taskOf(labeled))))
  // Some earlier sentences were written with an older version of the reader in mind. We train on them but
  // don't score them.
  const authors = [...new Set(all.map(({ author }) => author))].filter(
    (author) => !/^(earlier|team|handed)/.test(author),
  )
  for (const share of shares) {
    const scores = Array.from({ length: FOLDS }, (_, fold) => fold).flatMap((fold) => {
      const out = new Set(authors.filter((_, index) => index % FOLDS === fold))
      const kept = all.flatMap((labeled, index) =>
        out.has(labeled.author) || (index * 37) % 100 >= share ? [] : (examples[index] ?? []),
      )
      const weights = packed(learn(kept))
      return all.filter(({ author }) => out.has(author)).map((labeled) => scoreOf(weights, labeled))
    })
    show(`authors left out, ${share} % of the data`, scores)
  }
  const weights = loadWeights()
  const unseen = labeledIn(voiceFiles(new URL('../data/voice/unseen/', import.meta.url)))
  show(
    'authors the committed weights never learned from',
    unseen.map((labeled) => scoreOf(weights, labeled)),
  )
  for (const [folder, about] of [
    ['undated', 'texts about unclear days, prices and long lessons'],
    ['several', 'texts about several lessons'],
    ['es', 'a person who writes Spanish'],
  ]) {
    const texts = labeledIn(voiceFiles(new URL(`../data/voice/unseen/${folder}/`, import.meta.url)))
    show(
      `${about}, never learned from either`,
      texts.map((labeled) => scoreOf(weights, labeled)),
    )
  }
}

function show(name: string, scores: Score[]): void {
  console.log(report(name, scores).join('\n'))
  if (!process.argv.includes('--show')) return
  for (const { labeled, got, wrong, allRight } of scores) {
    const isBad =
      labeled.sessions.length === 0
        ? got.sounds === 'session'
        : labeled.sessions.length > 1
          ? !allRight
          : wrong.length > 0
    if (isBad)
      console.log(
        `- ${labeled.author} [${labeled.today}] ${labeled.text}\n    wrong ${wrong.join(' ')}\n` +
          `    got  ${JSON.stringify(got)}\n    want ${JSON.stringify(labeled.sessions)}`,
      )
  }
}
