import { useMemo } from 'react'
import { drawQr } from '../qr-code.ts'

/**
 * The code's maximum size in pixels. Each module is a whole number of pixels wide, at least 2, so that
 * cameras can read it.
 */
const MOST_PIXELS = 280
/**
 * The size of the cross in a Swiss QR bill's code: 7 mm in a 46 mm code (Swiss Implementation Guidelines
 * QR-bill, section 6.4.2).
 */
const CROSS = 7 / 46

interface QrCodeProps {
  text: string
  /** Accessible name: what the code is for. */
  label: string
  /** Draws the Swiss cross in the middle. */
  isSwiss?: boolean
}

/** A QR code. Always dark on white, even in the dark theme, because many apps can't read inverted codes. */
export default function QrCode({ text, label, isSwiss = false }: QrCodeProps) {
  const { size, path } = useMemo(() => drawQr(text), [text])
  const pixels = size * Math.max(2, Math.floor(MOST_PIXELS / size))
  return (
    <svg
      role="img"
      aria-label={label}
      className="h-auto max-w-full rounded-sm forced-color-adjust-none"
      width={pixels}
      height={pixels}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
      {isSwiss && <SwissCross middle={size / 2} width={(size - 8) * CROSS} />}
    </svg>
  )
}

/** A white cross on black, with a white border, in the proportions the QR bill standard requires. */
function SwissCross({ middle, width }: { middle: number; width: number }) {
  const unit = width / 7
  const square = (units: number, fill: string) => (
    <rect
      x={middle - (units * unit) / 2}
      y={middle - (units * unit) / 2}
      width={units * unit}
      height={units * unit}
      fill={fill}
    />
  )
  const bar = (across: number, down: number) => (
    <rect
      x={middle - (across * unit) / 2}
      y={middle - (down * unit) / 2}
      width={across * unit}
      height={down * unit}
      fill="#fff"
    />
  )
  return (
    <g shapeRendering="geometricPrecision">
      {square(7, '#fff')}
      {square(6, '#000')}
      {bar(3.6, 1.1)}
      {bar(1.1, 3.6)}
    </g>
  )
}
