// Where you were when your login expired. Signing in again leads back there, with what you typed.
// It's kept in the tab's own storage, and a different person who signs in gets none of it.
import { DRAFT_PREFIX, lastDraft } from './draft.web.ts'

const OWNER = 'owner'
/** The workspace that the drafts belong to. */
const WORKSPACE = 'draft-workspace'
const PLACE = 'interrupted'
/** The draft whose form reopens when its page loads. */
export const REOPEN = 'reopen'

/** Sets whose drafts this tab keeps from now on; anyone else's are deleted. Drafts of another workspace are set aside until you return to it. */
export function claimDrafts(userId: string, workspaceId = ''): void {
  const owner = sessionStorage.getItem(OWNER)
  if (owner !== null && owner !== userId) {
    const left = Object.keys(sessionStorage).filter((key) => /^draft|^aside/.test(key))
    for (const key of [...left, PLACE, REOPEN]) sessionStorage.removeItem(key)
  }
  sessionStorage.setItem(OWNER, userId)
  const before = sessionStorage.getItem(WORKSPACE)
  sessionStorage.setItem(WORKSPACE, workspaceId)
  if (before === null || before === workspaceId) return
  rename(DRAFT_PREFIX, `aside:${before}:`)
  rename(`aside:${workspaceId}:`, DRAFT_PREFIX)
}

function rename(from: string, to: string): void {
  for (const [key, draft] of Object.entries(sessionStorage) as [string, string][]) {
    if (!key.startsWith(from)) continue
    sessionStorage.removeItem(key)
    sessionStorage.setItem(to + key.slice(from.length), draft)
  }
}

/** Records where this tab's owner was interrupted; nothing after a deliberate sign-out. */
export function noteInterruption(path: string): void {
  if (sessionStorage.getItem(OWNER) === null) return
  sessionStorage.setItem(PLACE, path)
  const draft = lastDraft()
  if (draft) sessionStorage.setItem(REOPEN, draft)
}

/** Where this tab's user was interrupted, and whether they have a draft; undefined if they weren't. */
export function readInterruption(): { path: string; hasDraft: boolean } | undefined {
  const path = sessionStorage.getItem(PLACE)
  return path === null ? undefined : { path, hasDraft: lastDraft() !== undefined }
}

/** Ends the interruption once the page is back. The page still has to reopen the last form. */
export function endInterruption(): void {
  sessionStorage.removeItem(PLACE)
}
