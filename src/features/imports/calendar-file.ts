// Gets the calendars out of a file, and lets the page work while one is read.
import { factsOf, isCalendar } from './calendar.ts'
import { readTextFile } from './text-file.ts'

/** More than 20,000 events with long invitations. */
export const MOST_CALENDAR_BYTES = 60_000_000

export interface NamedCalendar {
  name: string
  text: string
}

/** The calendars in a ZIP archive, such as Google's export. Undefined if it isn't an archive with calendars. */
export async function calendarsInZip(bytes: Uint8Array): Promise<NamedCalendar[] | undefined> {
  if (!(bytes[0] === 0x50 && bytes[1] === 0x4b)) return undefined
  const { unzipSync } = await import('fflate')
  try {
    const files = unzipSync(bytes, {
      filter: ({ name, originalSize }) => /\.ics$/i.test(name) && originalSize <= MOST_CALENDAR_BYTES,
    })
    const calendars = Object.entries(files).flatMap(([path, content]) => {
      const read = readTextFile(unfolded(content))
      if (!('text' in read) || !isCalendar(read.text)) return []
      const file = path.split('/').at(-1) ?? path
      return [{ name: factsOf(read.text).name || file.replace(/\.ics$/i, ''), text: read.text }]
    })
    return calendars.length > 0 ? calendars : undefined
  } catch {
    return undefined
  }
}

/**
 * A calendar's bytes without line folds, which may be inside a character (RFC 5545, section 3.1). Other files stay as
 * they are.
 */
export function unfolded(bytes: Uint8Array): Uint8Array {
  if (!isCalendar(new TextDecoder('latin1').decode(bytes.subarray(0, 200)).replace('ï»¿', ''))) return bytes
  const kept = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const breakLength = bytes[at] === 0x0a ? 1 : bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? 2 : 0
    const next = bytes[at + breakLength]
    if (breakLength > 0 && (next === 0x20 || next === 0x09)) at += breakLength
    else kept[length++] = bytes[at] ?? 0
  }
  return kept.subarray(0, length)
}

/** Short enough that scrolling and typing don't stutter. */
const SLICE_MS = 10

/** Runs a generator to its end and lets the page work in between. Undefined if it was aborted. */
export async function inSlices<Result>(
  steps: Generator<number, Result>,
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<Result | undefined> {
  let sliceEnd = performance.now() + SLICE_MS
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    if (performance.now() < sliceEnd) continue
    onProgress(step.value)
    await new Promise((resolve) => setTimeout(resolve))
    if (signal.aborted) return undefined
    sliceEnd = performance.now() + SLICE_MS
  }
}
