// Audio for tests and benchmarks. It's generated with programs that the local engine needs anyway, so the
// repository has no audio files.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FORMATS = {
  webm: ['-c:a', 'libopus', '-b:a', '24k', '-f', 'webm'],
  ogg: ['-c:a', 'libopus', '-f', 'ogg'],
  wav: ['-f', 'wav'],
  /** The format that Apple devices record in. */
  aac: ['-c:a', 'aac', '-f', 'mp4'],
  /** The format browsers stream in: the index first, then the audio in fragments. */
  'aac-fragments': ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4'],
  'mp4-opus': ['-c:a', 'libopus', '-f', 'mp4', '-strict', '-2'],
  mp3: ['-c:a', 'libmp3lame', '-f', 'mp3'],
} as const
type SoundFormat = keyof typeof FORMATS

/** Creates a recording from one of ffmpeg's built-in sources, such as `anullsrc=d=3`. */
export function soundOf(source: string, format: SoundFormat = 'webm'): Buffer {
  return encoded(['-f', 'lavfi', '-i', source], format)
}

/** Records a synthetic voice reading text aloud. */
export function speechOf(text: string, format: SoundFormat = 'webm', filter = 'anull'): Buffer {
  const spoken = spawnSync('espeak-ng', ['-v', 'en-us+f2', '-s', '150', '--stdout', text], {
    maxBuffer: 1e8,
  }).stdout
  return encoded(['-i', 'pipe:0', '-af', filter], format, spoken)
}

/**
 * Repeats a recording the given number of times. Copies the encoded audio instead of encoding it again,
 * because encoding an hour of audio takes 15 s.
 */
export function repeated(recording: Buffer, times: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-sound-'))
  try {
    const one = join(folder, 'one.webm')
    writeFileSync(one, recording)
    return ffmpeg(folder, ['-stream_loop', String(times - 1), '-i', one, '-c', 'copy', '-f', 'webm'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function encoded(input: string[], format: SoundFormat, stdin?: Buffer): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-sound-'))
  try {
    return ffmpeg(folder, [...input, '-ac', '1', ...FORMATS[format]], stdin)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function ffmpeg(folder: string, args: readonly string[], input?: Buffer): Buffer {
  const result = join(folder, 'sound')
  const { status, stderr } = spawnSync('ffmpeg', ['-v', 'error', ...args, result], { input, maxBuffer: 1e8 })
  if (status !== 0) throw new Error(`ffmpeg could not make the sound: ${stderr.toString()}`)
  return readFileSync(result)
}
