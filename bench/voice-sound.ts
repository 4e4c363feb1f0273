// Measures speech recognition: `npm run bench:voice -- [FOLDER] [--count=40] [--seed=1] [--show]
// [--only=clips,made,padded,stock,talk,speed,live]`. The folder contains corpus.jsonl, clips.json and the clips. Besides
// the clips, it tests sentences generated from a seed and spoken by the voices installed on this machine,
// both clean and with pink noise (15 dB), and with one to three seconds of silence or noise around them. It also tests speech about other topics, and tries the stock
// language model on the same clips. If SPEECH_MODEL_DIR has the neural model, each engine is measured alone
// first, then both together.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { cents } from '#kernel/money.ts'
import {
  vocabularyOf as wordsIn,
  SENTENCES,
  type SpokenNames,
  spokenSentences,
} from '#features/voice/spoken-sentences.ts'
import { programPath, runChild, UnnamedFile } from '#platform/speech/child.server.ts'
import { decodeAudio } from '#platform/speech/decoder.server.ts'
import {
  BYTES_PER_SECOND,
  type Vocabulary,
  type SpeechEngine,
  SpeechFailed,
} from '#platform/speech/engine.server.ts'
import type { Transcription } from '#platform/speech/transcription.ts'
import { openTranscriber } from '#platform/speech/transcriber.server.ts'
import { findLocalTools, LocalEngine } from '#platform/speech/local-engine.server.ts'
import { findNeuralModel, neuralEngine } from '#platform/speech/neural-engine.server.ts'
import { pairedEngine } from '#platform/speech/paired-engine.server.ts'
import { speechOf } from '#platform/speech/sounds.server.ts'
import { PAUSE_MS } from '#features/voice/live-speech.ts'
import { FACTS } from '#features/voice/reading/choices.ts'
import { sessionsIn } from '#features/voice/transcription.ts'
import { read } from '#features/voice/reading/read.ts'
import { LINES_FILE, loadWeights } from '#features/voice/reading/weights.server.ts'
import { type Labeled, labeledIn, voiceFiles } from '../scripts/voice-data.ts'
import { taskOf } from '../scripts/voice-lab.ts'
import { compare, type Score } from './voice-score.ts'

interface Clip {
  labeled: Labeled
  voice: string
  pcm: Buffer
}

const option = (name: string, fallback: number): number =>
  Number(new RegExp(`--${name}=(\\d+)`).exec(process.argv.join(' '))?.[1] ?? fallback)
const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
/** The parts to run. By default, all of them. */
const parts = /--only=(\S+)/.exec(process.argv.join(' '))?.[1]?.split(',') ?? [
  'clips',
  'made',
  'padded',
  'stock',
  'talk',
  'speed',
  'live',
]
const isShown = process.argv.includes('--show')
const weights = loadWeights()
const lines = readFileSync(LINES_FILE, 'utf8').trim().split('\n')
const patience = new AbortController().signal
const tools = findLocalTools('')
if (!tools) throw new Error('the local engine is not installed; npm start says how')
const modelDir = process.env.SPEECH_MODEL_DIR ?? ''
const neural = findNeuralModel(modelDir)
const local = new LocalEngine(tools)
const alone = neural && neuralEngine(neural)
const engine = alone ? pairedEngine(local, alone) : local
const engines: [string, SpeechEngine][] = alone
  ? [
      ['pocketsphinx alone', local],
      ['Moonshine alone', alone],
      ['both engines', engine],
    ]
  : [['pocketsphinx', local]]
/** The stock model is measured for comparison only. It needs more memory than the product's engine. */
let isStock = false
const peaks = new Map<string, number>()
const watch = setInterval(watchChildren, 20)

/** The voices installed on this machine. The ones from espeak-ng sound robotic, so they're counted separately. */
const VOICES: [name: string, program: string, say: (text: string, file: string) => string[]][] = [
  ...['slt', 'rms', 'awb', 'kal16'].map((voice): (typeof VOICES)[number] => [
    `flite-${voice}`,
    'flite',
    (text, file) => ['flite', '-voice', voice, '-t', text, '-o', file],
  ]),
  ...[
    ['kal', 'kal_diphone'],
    ['ked', 'ked_diphone'],
    ['slt-hts', 'cmu_us_slt_arctic_hts'],
  ].map(([name, voice]): (typeof VOICES)[number] => [
    `festival-${name}`,
    'text2wave',
    (_text, file) => ['text2wave', '-eval', `(voice_${voice})`, '-o', file],
  ]),
  ...['en-us', 'en-us+f2'].map((voice): (typeof VOICES)[number] => [
    `espeak-${voice}`,
    'espeak-ng',
    (text, file) => ['espeak-ng', '-v', voice, '-s', '150', '-w', file, text],
  ]),
]

await bench()
clearInterval(watch)

async function bench(): Promise<void> {
  const count = option('count', 40)
  const seed = option('seed', 1)
  const plain = (cases: Labeled[]) => cases.filter(({ text }) => /^[a-z' ]{20,}$/.test(text))
  // The reader has never learned from these authors.
  const all = labeledIn(voiceFiles(new URL('../data/voice/unseen/', import.meta.url)))
  const from = (cases: Labeled[]) => {
    const step = Math.max(1, Math.floor(plain(cases).length / count))
    return plain(cases)
      .filter((_, index) => index % step === seed % step)
      .slice(0, count)
  }
  const clips = folder && (parts.includes('clips') || parts.includes('stock')) ? await clipsOf(folder) : []
  const sessions =
    parts.includes('made') || (parts.includes('stock') && clips.length === 0)
      ? spoken(from(all.filter(({ sessions }) => sessions.length === 1)))
      : []
  const natural = sessions.filter(({ voice }) => !voice.startsWith('espeak'))
  const made: [string, Clip[]][] = [
    ['made, natural voices', natural],
    ['made, robotic voices', sessions.filter((clip) => !natural.includes(clip))],
  ]
  const sets: [string, Clip[]][] = [
    ...(parts.includes('clips') ? [['the clips of the folder', clips] as [string, Clip[]]] : []),
    ...(parts.includes('made') ? made : []),
  ]
  const noisyOf = ([name, set]: [string, Clip[]]): [string, Clip[]] => [
    `${name}, 15 dB noise`,
    set.map((clip) => ({ ...clip, pcm: withNoise(clip.pcm, 15) })),
  ]
  const padded = parts.includes('padded')
    ? sets.map(([name, set]): [string, Clip[]] => [`${name}, silence around`, set.map(withSilence)])
    : []
  for (const [name, set] of [...sets, ...sets.map(noisyOf), ...padded, ...padded.map(noisyOf)])
    for (const [who, listener] of engines)
      await report(`${name}, ${who}`, set, (clip) => hear(clip, listener))
  if (parts.includes('stock'))
    await report(
      `${clips.length ? 'the clips of the folder' : 'made, natural voices'}, stock model`,
      clips.length ? clips : natural,
      hearStock,
    )

  if (parts.includes('talk')) await reportTalk(from(all.filter(({ sessions }) => sessions.length === 0)))
  if (parts.includes('speed')) await speed()
  if (parts.includes('live')) await live(from(all.filter(({ sessions }) => sessions.length === 1)))
  await engine.close()
  console.log(
    `memory: ${[...peaks].map(([name, megabytes]) => `${name} ${megabytes.toFixed(0)} MB`).join(', ')}`,
  )
}

/** How much speech about other things is rejected. */
async function reportTalk(cases: Labeled[]): Promise<void> {
  const talk = spoken(cases)
  let rejected = 0
  for (const clip of talk) {
    const transcription = await hear(clip)
    if (scored(clip.labeled, transcription).got.sounds !== 'session') rejected += 1
    else if (isShown)
      console.log(
        `  - taken for a session\n      said  ${clip.labeled.text}\n      heard ${transcription.text}`,
      )
  }
  console.log(`unrelated speech: ${share(rejected, talk.length)} rejected`)
}

/** The same hints that the server's route gives an engine. */
function vocabularyOf(names: SpokenNames): Vocabulary {
  return { ...wordsIn(names), sentences: async () => spokenSentences(names, lines, SENTENCES).join('\n') }
}

function hintsOf({ children, tutors }: Labeled): Vocabulary {
  return vocabularyOf({
    students: children,
    tutors: tutors.map(({ name }) => name),
    subjects: [],
    rates: tutors.flatMap(({ rate }) => (rate === null ? [] : [cents(Math.round(rate * 100))])),
  })
}

/** What an engine hears in a clip. Empty text if it can't make out anything. */
async function hear({ labeled, pcm }: Clip, listener = engine): Promise<Transcription> {
  try {
    return await listener.transcribe(pcm, hintsOf(labeled), patience)
  } catch (error) {
    if (error instanceof SpeechFailed) return { text: '' }
    throw error
  }
}

function scored(labeled: Labeled, transcription: Transcription): Score {
  const lists = taskOf(labeled)
  const { found } = sessionsIn(transcription, lists, (transcript) => read(weights, { ...lists, transcript }))
  return compare(labeled, found, 0)
}

async function hearStock({ pcm }: Clip): Promise<Transcription> {
  isStock = true
  const streams = {
    input: new UnnamedFile(pcm),
    output: new UnnamedFile(),
    files: [new UnnamedFile(Buffer.from('stdin\n'))],
  }
  const at = (name: string) => join(tools?.modelDir ?? '', name)
  const { output } = await runChild(
    tools?.recognizer ?? '',
    [
      '-hmm',
      at('en-us'),
      '-lm',
      at('en-us.lm.bin'),
      '-dict',
      at('cmudict-en-us.dict'),
      '-ctl',
      '/dev/fd/3',
      '-cepdir',
      '/dev',
      '-cepext',
      '',
      '-adcin',
      'yes',
      '-adchdr',
      '0',
      '-hyp',
      '/dev/stdout',
      '-logfn',
      '/dev/null',
    ],
    { signal: patience, megabytes: 800, seconds: 100, outputBytes: 100_000 },
    streams,
  )
  for (const stream of [streams.input, streams.output, ...streams.files]) stream.close()
  isStock = false
  return { text: /^(.*?) ?\(stdin/s.exec(output.toString())?.[1] ?? '' }
}

async function report(
  name: string,
  clips: Clip[],
  how: (clip: Clip) => Promise<Transcription>,
): Promise<void> {
  if (clips.length === 0) return
  const start = performance.now()
  const scores: Score[] = []
  let [errors, words, refused] = [0, 0, 0]
  for (const clip of clips) {
    const transcription = await how(clip)
    const { text } = transcription
    const score = scored(clip.labeled, transcription)
    scores.push(score)
    if (score.got.sessions.length === 0) refused += 1
    errors += distance(clip.labeled.text.split(' '), text.split(' ').filter(Boolean))
    words += clip.labeled.text.split(' ').length
    if (isShown && score.wrong.length > 0)
      console.log(
        `  - ${clip.voice} ${clip.labeled.author}: ${score.wrong.join(' ')}\n      said  ${clip.labeled.text}\n      heard ${text}`,
      )
  }
  const seconds = clips.reduce((sum, { pcm }) => sum + pcm.length / BYTES_PER_SECOND, 0)
  const of = (test: (score: Score) => boolean) => share(scores.filter(test).length, scores.length)
  const high = scores.filter(({ got }) => got.sessions[0]?.confidence === 'high')
  console.log(
    [
      `${name}: ${clips.length} clips, ${((performance.now() - start) / 1000 / seconds).toFixed(2)} x real time`,
      `  word error rate       ${((100 * errors) / words).toFixed(1)} %`,
      `  all five right        ${of(({ wrong }) => wrong.length === 0)}`,
      ...FACTS.map((fact) => `  ${fact.padEnd(21)} ${of(({ wrong }) => !wrong.includes(fact))}`),
      `  wrong but filled in   ${of(({ wrongFilled }) => wrongFilled.length > 0)}`,
      `  'high' is right       ${share(high.filter(({ wrong }) => wrong.length === 0).length, high.length)}`,
      `  rejected              ${share(refused, clips.length)}`,
      `  right, by voice       ${byVoice(clips, scores)}`,
    ].join('\n'),
  )
}

/**
 * Measures how long it takes to turn an uploaded ten-second recording into text, one at a time and four at
 * once.
 */
async function speed(): Promise<void> {
  const transcriber = openTranscriber({ engine: 'local', modelDir })
  const recording = speechOf(
    'Yesterday Maya had an hour and a half of algebra with David Chen at forty five dollars an hour. She ' +
      'struggled with fractions, and they went over the homework for next week.',
  )
  const seconds = (await decodeAudio(recording, patience)).length / BYTES_PER_SECOND
  const once = async () => {
    const start = performance.now()
    await transcriber.transcribe(
      recording,
      vocabularyOf({
        students: ['Maya', 'Ethan'],
        tutors: ['David Chen'],
        subjects: ['Algebra'],
        rates: [cents(4500)],
      }),
      patience,
    )
    return performance.now() - start
  }
  const first = await once()
  const times: [string, number[]][] = [
    ['alone', []],
    ['four at once', []],
  ]
  for (let round = 0; round < 12; round++) times[0]?.[1].push(await once())
  for (let round = 0; round < 5; round++)
    times[1]?.[1].push(...(await Promise.all([once(), once(), once(), once()])))
  const percentiles = times.map(([name, all]) => {
    const slow = all.sort((one, other) => one - other)[Math.ceil(all.length * 0.95) - 1] ?? 0
    return `${name} ${(slow / 1000).toFixed(2)} s at the 95th of a hundred`
  })
  console.log(
    `a recording of ${seconds.toFixed(1)} s: ${(first / 1000).toFixed(2)} s the first time, ${percentiles.join(', ')}; ` +
      `${loadavg()[0]?.toFixed(1)} programs wanted a processor meanwhile`,
  )
}

/**
 * How long after a sentence's end the card is there while someone is still speaking: the pause that ends it, then
 * decoding, transcribing and reading on the server. The language model is made when a recording begins.
 */
async function live(cases: Labeled[]): Promise<void> {
  const transcriber = openTranscriber({ engine: 'local', modelDir })
  const times: number[] = []
  let seconds = 0
  for (const labeled of cases) {
    const hints = hintsOf(labeled)
    const recording = speechOf(labeled.text, 'webm', 'adelay=500,apad=pad_dur=0.4')
    await transcriber.preview(recording, 0, hints, patience)
    const start = performance.now()
    const heard = await transcriber.preview(recording, 0, hints, patience)
    scored(labeled, { text: heard.text })
    times.push(PAUSE_MS + performance.now() - start)
    seconds += heard.seconds
  }
  times.sort((one, other) => one - other)
  const at = (part: number) => ((times[Math.ceil(times.length * part) - 1] ?? 0) / 1000).toFixed(2)
  console.log(
    `live: the card follows a sentence of ${(seconds / times.length).toFixed(1)} s after ${at(0.5)} s (half), ${at(0.95)} s ` +
      `(95 of a hundred); ${loadavg()[0]?.toFixed(1)} programs wanted a processor meanwhile`,
  )
  await transcriber.close()
}

/** A labeled sentence in the folder. */
interface Case {
  id: string
  today: string
  children: { id: string; name: string }[]
  tutors: { id: string; name: string; hourly_rate: number | null }[]
  transcript: string
  expect: {
    childId: string | null
    tutorId: string | null
    date: string | null
    duration: number | null
    hourly_rate: number | null
  }
  tags: string[]
}

function labeledCase({ id, today, children, tutors, transcript, expect, tags }: Case): Labeled {
  const name = (people: { id: string; name: string }[], who: string | null) =>
    people.find((one) => one.id === who)?.name ?? null
  const session = {
    child: name(children, expect.childId),
    tutor: name(tutors, expect.tutorId),
    date: expect.date ?? today,
    minutes: expect.duration === null ? null : Math.round(expect.duration * 60),
    rate: expect.hourly_rate,
    subject: null,
    notes: null,
  }
  return {
    author: id,
    today,
    children: children.map((child) => child.name),
    tutors: tutors.map((tutor) => ({ name: tutor.name, rate: tutor.hourly_rate })),
    text: transcript,
    sessions: tags.includes('non-session') ? [] : [session],
  }
}

async function clipsOf(place: string): Promise<Clip[]> {
  const labeled = new Map(
    readFileSync(join(place, 'corpus.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => labeledCase(JSON.parse(line) as Case))
      .map((one) => [one.author, one]),
  )
  const list = JSON.parse(readFileSync(join(place, 'clips.json'), 'utf8')) as {
    file: string
    utterance: string
    voice: string
  }[]
  const clips: Clip[] = []
  for (const { file, utterance, voice } of list) {
    const one = labeled.get(utterance)
    if (one)
      clips.push({ labeled: one, voice, pcm: await decodeAudio(readFileSync(join(place, file)), patience) })
  }
  return clips
}

/** Speaks the sentences, rotating through the voices. */
function spoken(cases: Labeled[]): Clip[] {
  const voices = VOICES.filter(([, program]) => programPath(program))
  const place = mkdtempSync(join(tmpdir(), 'tutorlog-voices-'))
  try {
    return cases.flatMap((labeled, index) => {
      const [voice, , say] = voices[index % voices.length] ?? []
      const file = join(place, `${index}.wav`)
      const [program = '', ...args] = say?.(labeled.text, file) ?? []
      spawnSync(program, args, { input: labeled.text })
      if (!existsSync(file)) return []
      const { stdout } = spawnSync(
        'ffmpeg',
        ['-v', 'error', '-i', file, '-ac', '1', '-ar', '16000', '-f', 's16le', '-'],
        { maxBuffer: 1e8 },
      )
      return [{ labeled, voice: voice ?? '', pcm: stdout }]
    })
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** One to three seconds of silence before and after, different for each clip. */
function withSilence(clip: Clip, index: number): Clip {
  const silence = (seconds: number) => Buffer.alloc(seconds * BYTES_PER_SECOND)
  return { ...clip, pcm: Buffer.concat([silence(1 + (index % 3)), clip.pcm, silence(1 + ((index + 1) % 3))]) }
}

function byVoice(clips: Clip[], scores: Score[]): string {
  const voices = [...new Set(clips.map(({ voice }) => voice))]
  return voices
    .map((voice) => {
      const own = scores.filter((_, index) => clips[index]?.voice === voice)
      return `${voice} ${own.filter(({ wrong }) => wrong.length === 0).length}/${own.length}`
    })
    .join(', ')
}

// Pink noise: white noise passed through Paul Kellet's filter. It's identical in every run.
function withNoise(pcm: Buffer, decibels: number): Buffer {
  let state = pcm.length
  const white = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 31 - 1
  const b = [0, 0, 0, 0, 0, 0, 0]
  const noise = Float64Array.from({ length: pcm.length / 2 }, () => {
    const w = white()
    const poles: [number, number][] = [
      [0.99886, 0.0555179],
      [0.99332, 0.0750759],
      [0.969, 0.153852],
      [0.8665, 0.3104856],
      [0.55, 0.5329522],
      [-0.7616, -0.016898],
    ]
    poles.forEach(([keep, gain], index) => {
      b[index] = (b[index] ?? 0) * keep + w * gain
    })
    const sum = b.reduce((total, value) => total + value, 0) + w * 0.5362
    b[6] = w * 0.115926
    return sum
  })
  const power = (value: (index: number) => number) =>
    noise.reduce((sum, _, index) => sum + value(index) ** 2, 0)
  const gain = Math.sqrt(
    power((index) => pcm.readInt16LE(2 * index)) /
      power((index) => noise[index] ?? 0) /
      10 ** (decibels / 10),
  )
  const mixed = Buffer.alloc(pcm.length)
  noise.forEach((value, index) =>
    mixed.writeInt16LE(
      Math.max(-32_768, Math.min(32_767, Math.round(pcm.readInt16LE(2 * index) + gain * value))),
      2 * index,
    ),
  )
  return mixed
}

function distance(expected: string[], actual: string[]): number {
  let row = Array.from({ length: actual.length + 1 }, (_, index) => index)
  for (const [at, word] of expected.entries()) {
    const next = [at + 1]
    for (const [index, other] of actual.entries())
      next.push(
        Math.min(
          (row[index + 1] ?? 0) + 1,
          (next[index] ?? 0) + 1,
          (row[index] ?? 0) + (word === other ? 0 : 1),
        ),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

/** Records the peak resident memory of each program that runs as a child process. */
function watchChildren(): void {
  if (isStock) return
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${id}/status`, 'utf8')
      const [, name = ''] = /^Name:\t(.*)$/m.exec(status) ?? []
      if (!status.includes(`\nPPid:\t${process.pid}\n`) || !/^(pocketsphinx|ffmpeg)/.test(name)) continue
      peaks.set(
        name,
        Math.max(peaks.get(name) ?? 0, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024),
      )
    } catch {
      // The process has exited in the meantime.
    }
  }
}

function share(part: number, whole: number): string {
  return `${part} of ${whole}${whole === 0 ? '' : ` (${((100 * part) / whole).toFixed(1)} %)`}`
}
