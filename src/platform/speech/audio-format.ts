// Detects a recording's format from its first bytes, because the content type often can't be trusted.

type AudioFormat = 'webm' | 'mp4' | 'ogg' | 'wav'

/**
 * Audio formats we recognize but don't accept. Listed so that they can be told apart from files that aren't
 * audio.
 */
const OTHERS: [name: string, test: (bytes: Uint8Array) => boolean][] = [
  ['mp3', (bytes) => text(bytes, 0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2)],
  ['aac', (bytes) => bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0],
  ['flac', (bytes) => text(bytes, 0, 4) === 'fLaC'],
  ['amr', (bytes) => text(bytes, 0, 5) === '#!AMR'],
  ['aiff', (bytes) => text(bytes, 0, 4) === 'FORM' && text(bytes, 8, 3) === 'AIF'],
  ['midi', (bytes) => text(bytes, 0, 4) === 'MThd'],
  ['wma', (bytes) => text(bytes, 0, 4) === '\x30\x26\xb2\x75'],
]

/**
 * Returns a recording's container format. Returns 'other' for audio we don't accept, and undefined if the
 * file isn't audio.
 */
export function audioFormatOf(bytes: Uint8Array): AudioFormat | 'other' | undefined {
  if (bytes[0] === 0x1a && text(bytes, 1, 3) === '\x45\xdf\xa3') return 'webm'
  if (text(bytes, 4, 4) === 'ftyp') return 'mp4'
  if (text(bytes, 0, 4) === 'OggS') return 'ogg'
  if (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 4) === 'WAVE') return 'wav'
  return OTHERS.some(([, test]) => test(bytes)) ? 'other' : undefined
}

function text(bytes: Uint8Array, from: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(from, from + length))
}
