// QR codes as modules and as one SVG path. A library encodes them; ISO/IEC 18004 sets the quiet zone of 4 modules.
import encodeQR from 'qr'

/** Blank modules on each side. */
export const QUIET_ZONE = 4

export interface QrDrawing {
  /** Modules from edge to edge, including the quiet zone. */
  size: number
  /** The dark modules, one unit each: "M4 4h7v1h-7z". */
  path: string
}

/** Encodes a UTF-8 text with error correction M, which both transfer codes require; throws if it's too long for a symbol. */
export function drawQr(text: string): QrDrawing {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_ZONE })
  return { size: rows.length, path: rows.map(pathOfRow).join('') }
}

// Neighbors in a row form one rectangle, so that no seam shows between them.
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
