// Compares a page with its reference picture in e2e/pictures. Both are scaled down to a quarter of their
// size, which keeps files small and evens out differences in font smoothing.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

const KEPT = join(import.meta.dirname, 'pictures')
const FOUND = join(import.meta.dirname, '../build/journeys/pictures')
const SCALE = 4

/** How much a pixel's color may differ, out of 255. Badge tints differ from white by 24 or more. */
const TOLERANCE = 20
/**
 * The side length of the squares to compare, in pixels of the scaled-down picture. Each square covers 64 by
 * 64 pixels of the page. If we compared the whole page at once, a missing part of a long page would hardly
 * register.
 */
const WINDOW = 16
/**
 * How many of a square's 256 pixels may differ. Unhinted letters change up to 39 pixels; the week strip
 * without its CSS changes 62 or more.
 */
const MAX_PIXELS = 46
/** How much the page's height may differ, in CSS pixels. A line of text is 20 pixels high. */
const MAX_HEIGHT = 12

/**
 * Lists how a page differs from its reference picture. Empty if it doesn't. With UPDATE_PICTURES=1, saves a
 * new picture instead.
 */
export async function pictureFaults(page: Page, name: string): Promise<string[]> {
  await page.evaluate(async () => {
    await document.fonts.ready
    // A picture that is only decoded when it's drawn could be missing on the screenshot.
    for (const image of document.images) Object.assign(image, { loading: 'eager', decoding: 'sync' })
    const loaded = (image: HTMLImageElement) =>
      image.naturalWidth > 0 ||
      new Promise((resolve) => image.addEventListener('load', resolve, { once: true }))
    await Promise.all([...document.images].map(loaded))
    await Promise.all([...document.images].map((image) => image.decode()))
  })
  const shot = await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide', scale: 'css' })
  // Runs the comparison on a blank page, because the security policy of the page under test would block the
  // picture.
  const desk = await page.context().newPage()
  try {
    const small = await desk.evaluate(shrink, { png: shot.toString('base64'), scale: SCALE })
    const kept = join(KEPT, `${name}.png`)
    if (process.env.UPDATE_PICTURES) {
      mkdirSync(KEPT, { recursive: true })
      writeFileSync(kept, Buffer.from(small, 'base64'))
      return []
    }
    if (!existsSync(kept)) return [`${name}: there is no picture yet; UPDATE_PICTURES=1 takes it`]
    const faults = await desk.evaluate(compare, {
      pngs: [readFileSync(kept).toString('base64'), small] as [string, string],
      tolerance: TOLERANCE,
      window: WINDOW,
      maxPixels: MAX_PIXELS,
      maxRows: MAX_HEIGHT / SCALE,
      scale: SCALE,
    })
    if (faults.length > 0) {
      mkdirSync(FOUND, { recursive: true })
      writeFileSync(join(FOUND, `${name}.png`), Buffer.from(small, 'base64'))
    }
    return faults.map((fault) => `${name}: ${fault}`)
  } finally {
    await desk.close()
  }
}

/** Runs in the browser. Scales down a picture by averaging pixels. */
async function shrink({ png, scale }: { png: string; scale: number }): Promise<string> {
  const image = new Image()
  image.src = `data:image/png;base64,${png}`
  await image.decode()
  const from = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true })
  const [width, height] = [Math.floor(image.width / scale), Math.floor(image.height / scale)]
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width, height })
  const to = canvas.getContext('2d')
  if (!from || !to) throw new Error('no canvas')
  from.drawImage(image, 0, 0)
  const { data, width: stride } = from.getImageData(0, 0, image.width, image.height)
  const small = to.createImageData(width, height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let channel = 0; channel < 4; channel++) {
        let sum = 0
        for (let at = 0; at < scale * scale; at++)
          sum +=
            data[((y * scale + Math.floor(at / scale)) * stride + x * scale + (at % scale)) * 4 + channel] ??
            0
        small.data[(y * width + x) * 4 + channel] = Math.round(sum / (scale * scale))
      }
  to.putImageData(small, 0, 0)
  return canvas.toDataURL('image/png').split(',')[1] ?? ''
}

interface Comparison {
  pngs: [string, string]
  tolerance: number
  window: number
  maxPixels: number
  maxRows: number
  scale: number
}

/**
 * Runs in the browser. Finds the squares that differ between two pictures. A pixel may also match a
 * neighboring pixel in the other picture, so letters can be off by a few pixels.
 */
async function compare(given: Comparison): Promise<string[]> {
  const { tolerance, window: side, maxPixels, maxRows, scale } = given
  const pictures = await Promise.all(
    given.pngs.map(async (png) => {
      const image = new Image()
      image.src = `data:image/png;base64,${png}`
      await image.decode()
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
      if (!context) throw new Error('no canvas')
      context.drawImage(image, 0, 0)
      return context.getImageData(0, 0, image.width, image.height)
    }),
  )
  const [before, after] = pictures as [ImageData, ImageData]
  if (before.width !== after.width || Math.abs(before.height - after.height) > maxRows)
    return [
      `it is ${after.width * scale} by ${after.height * scale}, and was ${before.width * scale} by ${before.height * scale}`,
    ]
  const { width } = before
  const height = Math.min(before.height, after.height)
  const off = (one: ImageData, other: ImageData, x: number, y: number) => {
    let least = 255
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) {
        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue
        let most = 0
        for (let channel = 0; channel < 3; channel++)
          most = Math.max(
            most,
            Math.abs(
              (one.data[(y * width + x) * 4 + channel] ?? 0) -
                (other.data[((y + dy) * width + x + dx) * 4 + channel] ?? 0),
            ),
          )
        least = Math.min(least, most)
      }
    return least
  }
  const faults: string[] = []
  for (let top = 0; top < height; top += side)
    for (let left = 0; left < width; left += side) {
      let count = 0
      for (let y = top; y < Math.min(top + side, height); y++)
        for (let x = left; x < Math.min(left + side, width); x++)
          if (off(before, after, x, y) > tolerance || off(after, before, x, y) > tolerance) count++
      if (count > maxPixels)
        faults.push(`differs at ${left * scale}, ${top * scale} (${count} of ${side * side})`)
    }
  return faults
}
