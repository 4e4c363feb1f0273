// Draws QR codes as a single SVG path. The encoding is done by a library. ISO/IEC 18004 requires a quiet zone
// of 4 modules.
import encodeQR from 'qr'

/** The number of blank modules on each side. */
export const QUIET_ZONE = 4

interface QrDrawing {
  /** The width in modules, including the quiet zone. */
  size: number
  /** The dark modules as an SVG path, in units of one module: "M4 4h7v1h-7z". */
  path: string
}

/** Encodes UTF-8 text at error correction level M, which both payment QR codes require. Throws if the text is too long. */
export function drawQr(text: string): QrDrawing {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_ZONE })
  return { size: rows.length, path: rows.map(pathOfRow).join('') }
}

// Merges adjacent modules into one rectangle, so that no seams show.
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
