// QR codes as modules and as one path of an SVG. The encoder is a library; the quiet zone of 4 modules is ISO/IEC 18004's.
import encodeQR from 'qr'

/** Modules left free on each side. */
export const QUIET_ZONE = 4

export interface QrDrawing {
  /** Modules from edge to edge, the quiet zone included. */
  size: number
  /** The dark modules, a unit each: "M4 4h7v1h-7z". */
  path: string
}

/** Draws a text in UTF-8 with error correction M, which both transfer codes ask for; throws for more than a symbol holds. */
export function drawQr(text: string): QrDrawing {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_ZONE })
  return { size: rows.length, path: rows.map(pathOfRow).join('') }
}

// Neighbors in a row are one rectangle, so that no seam shows between them.
function pathOfRow(row: boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue
    let end = x + 1
    while (row[end]) end++
    path += `M${x} ${y}h${end - x}v1h${x - end}z`
    x = end
  }
  return path
}
