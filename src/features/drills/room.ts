// Whether there's room for a drill. It may never fill the disk that the real database needs.

/** The free space that's left in any case: a twentieth of the disk, within limits. */
const LEAST_LEFT = { least: 200_000_000, most: 2_000_000_000, part: 0.05 }
/** A new cluster and its write-ahead log. */
const CLUSTER_BYTES = 180_000_000

export interface Disk {
  free: number
  size: number
}

/** What has to stay free. */
function bytesToLeave({ size }: Disk): number {
  return Math.min(Math.max(size * LEAST_LEFT.part, LEAST_LEFT.least), LEAST_LEFT.most)
}

/** What a drill writes: the database again, and its backup unencrypted if the file is encrypted. */
export function bytesNeeded(databaseBytes: number, isEncrypted: boolean): number {
  return CLUSTER_BYTES + databaseBytes * (isEncrypted ? 1.5 : 1)
}

/** Why there's no drill; undefined if there's room. */
export function whyNoRoom(disk: Disk, needed: number): string | undefined {
  const missing = needed + bytesToLeave(disk) - disk.free
  if (missing <= 0) return undefined
  return (
    `There's not enough space to restore the backup for trial: ${inMegabytes(missing)} more would have to be free. ` +
    'Delete other files, or move DATA_DIR to a larger disk.'
  )
}

/** Why a drill that's running has to stop; undefined if it may go on. */
export function whyStop(disk: Disk): string | undefined {
  if (disk.free >= bytesToLeave(disk) / 2) return undefined
  return `There's not enough space: the drill was stopped when only ${inMegabytes(disk.free)} of the disk were free.`
}

function inMegabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000).toLocaleString('en-US')} MB`
}
