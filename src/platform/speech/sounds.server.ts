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
  const copied = ['-c', 'copy', '-f', 'webm']
  return ffmpeg((file) => ['-stream_loop', String(times - 1), '-i', file, ...copied], recording)
}

function encoded(input: string[], format: SoundFormat, spoken?: Buffer): Buffer {
  return ffmpeg(() => [...input, '-ac', '1', ...FORMATS[format]], spoken)
}

/** @param argsFor gets the path of a file with the input, which is also on standard input */
function ffmpeg(argsFor: (file: string) => string[], input: Buffer = Buffer.alloc(0)): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'tutorlog-sound-'))
  try {
    const [file, result] = [join(folder, 'input'), join(folder, 'sound')]
    writeFileSync(file, input)
    const args = ['-v', 'error', ...argsFor(file), result]
    const { status, stderr } = spawnSync('ffmpeg', args, { input, maxBuffer: 1e8 })
    if (status !== 0) throw new Error(`ffmpeg could not make the sound: ${stderr.toString()}`)
    return readFileSync(result)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
