// Remembers where you were when your login expired. After you sign in again, you're taken back there, with
// what you typed still in place. This is kept in the tab's session storage and deleted if someone else signs
// in.
import { DRAFT_PREFIX, lastDraft } from './draft.web.ts'

const OWNER = 'owner'
/** The key for the workspace these drafts belong to. */
const WORKSPACE = 'draft-workspace'
const PLACE = 'interrupted'
/** The key for the draft whose form is reopened when the page loads. */
export const REOPEN = 'reopen'

/**
 * Sets whose drafts this tab keeps, and deletes other people's. Drafts from another workspace are set aside
 * until you return there.
 */
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

/** Records where the user was interrupted. Does nothing after a deliberate sign-out. */
export function noteInterruption(path: string): void {
  if (sessionStorage.getItem(OWNER) === null) return
  sessionStorage.setItem(PLACE, path)
  const draft = lastDraft()
  if (draft) sessionStorage.setItem(REOPEN, draft)
}

/**
 * Returns where the user was interrupted and whether there's a draft. Returns undefined if there was no
 * interruption.
 */
export function readInterruption(): { path: string; hasDraft: boolean } | undefined {
  const path = sessionStorage.getItem(PLACE)
  return path === null ? undefined : { path, hasDraft: lastDraft() !== undefined }
}

/** Clears the interruption once the user is back on the page. The page still has to reopen the last form. */
export function endInterruption(): void {
  sessionStorage.removeItem(PLACE)
}
