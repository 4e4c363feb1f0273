// The browser's login. It's read once, renewed before it expires, and ended in all tabs at the same time. The
// page's code sees only `expires_at`, never a token.
import { useEffect, useSyncExternalStore } from 'react'
import { call, CallFailed, whenSignedOut, whenWorkspaceLost } from '#platform/api.web.ts'
import { claimDrafts, noteInterruption } from '#platform/ui/interruption.web.ts'
import { hasCopy } from '#platform/copy-mark.web.ts'
import { sendHeld } from '#platform/ui/Toast.tsx'
import { speakForRegion } from '#platform/region.web.ts'
import { speakIn, spokenWorkspace } from '#platform/workspace.web.ts'
import { type Login, type Me, ReadLogin, RenewLogin, SignOut, StartGoogle } from './account.ts'
import { inactivityAt } from './inactivity.ts'
import { activeSince, forgetActivity, hasActivity, lastActivity, noteActivity } from './inactivity.web.ts'

type LoginState =
  | { status: 'loading' }
  | { status: 'signed-out' }
  /** The app was opened from this device's copy before the server responded, so expiresAt is unknown. */
  | { status: 'signed-in'; user: Me; expiresAt: number | undefined }

/**
 * docs/product.md, section 9: checks the token every 30 s, renews it when 90 s or less remain, and retries
 * with delays that start at 200 ms.
 */
const CHECK_MS = 30_000
const RENEW_WITHIN_MS = 90_000
const FIRST_RETRY_MS = 200
const LAST_RETRY_MS = 12_800
/**
 * If the server takes longer than this to respond, the app opens from the copy on this device and keeps
 * trying.
 */
const ANSWER_TIMEOUT_MS = 4000
const ASK_AGAIN_MS = 5000
/** How long a call waits for a login renewal before it fails, and how long a renewal may take. */
const RENEWAL_TIMEOUT_MS = 8000
/** When a tab of this browser last began a renewal that succeeded, in milliseconds. */
const RENEWED = 'login-renewed'
/** Message to the other tabs when the user signs out on purpose. */
const LEFT = 'left'
/**
 * Set when a sign-out hasn't reached the server yet. The cookies are still in this browser but must not sign
 * anyone in.
 */
const OWED = 'sign-out-owed'
/**
 * The workspace chosen in this browser: one entry for the current login, and one per account id, used when
 * that account signs in again.
 */
const CHOSEN = 'workspace'
const LINK_SENT = 'link-sent'
/** Values for prefilling the sign-up form, if known. */
const SIGN_UP = 'sign-up'

interface SignUpPrefill {
  email: string
  role: 'parent' | 'tutor'
}

let state: LoginState = { status: 'loading' }
let renewing: Promise<void> | undefined
let onLeave: () => void = () => undefined
const openedAt = Date.now()
let wasRemoved = false
/** Counts sign-outs in this tab. A login requested before a sign-out must not be shown after it. */
let signOuts = 0
let askingAgain: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
// This browser's tabs share their cookies, so they also share sign-ins and sign-outs.
const channel = typeof document === 'undefined' ? undefined : new BroadcastChannel('login')

function become(next: LoginState): void {
  const user = next.status === 'signed-in' ? next.user : undefined
  if (placeOf(state) && placeOf(state) !== placeOf(next)) onLeave()
  if (user) claimDrafts(user.id, user.workspace?.id)
  if (next.status !== 'loading') {
    speakIn(user?.workspace?.id)
    speakForRegion(user?.region ?? undefined)
  }
  if (next.status === 'signed-out') for (const key of [CHOSEN, RENEWED]) localStorage.removeItem(key)
  state = next
  if (
    next.status === 'signed-in' &&
    next.user.email_confirmed_at &&
    localStorage.getItem(LINK_SENT)?.toLowerCase() === next.user.email.toLowerCase()
  )
    localStorage.removeItem(LINK_SENT)
  for (const listener of listeners) listener()
  // No matter how a login ends, none of its data stays on the device (promise W9).
  if (next.status === 'signed-out') forgetCopy()
}

/**
 * Everything a login's screens depend on, as one string: the account, its current workspace, and its
 * permissions there, separated by spaces.
 */
export function placeOf(login: LoginState): string | undefined {
  if (login.status !== 'signed-in') return undefined
  const { id, workspace, can_see_amounts: seesAmounts, has_all_students: hasAll } = login.user
  // Includes the permissions, so that the current screens close when the user loses access. Leaves out
  // ownership, which doesn't affect them.
  return `${id} ${workspace?.id ?? ''} ${workspace?.can_write} ${seesAmounts} ${hasAll}`
}

/** Sets the callback that runs before the app switches from one workspace's screens to another's. */
export function whenLeaving(listener: () => void): void {
  onLeave = listener
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The address of this browser's last sign-up; undefined once it's confirmed. */
export function useLinkSent(): string | undefined {
  return useSyncExternalStore(
    subscribe,
    () => localStorage.getItem(LINK_SENT) ?? undefined,
    () => undefined,
  )
}

/**
 * Remembers where a confirmation link was sent; pass undefined to forget it. /login shows the address until
 * it's confirmed (docs/product-decisions.md, section 1).
 */
export function noteLinkSent(email = ''): void {
  sessionStorage.removeItem(SIGN_UP)
  if (email) localStorage.setItem(LINK_SENT, email.trim())
  else localStorage.removeItem(LINK_SENT)
  for (const listener of listeners) listener()
}

/** Sets the values that prefill this tab's sign-up form. They never go into a URL. */
export function prefillSignUp(known: SignUpPrefill): void {
  sessionStorage.setItem(SIGN_UP, JSON.stringify(known))
}

export function readSignUpPrefill(): Partial<SignUpPrefill> {
  // sessionStorage doesn't exist when this page is prerendered at build time.
  if (typeof sessionStorage === 'undefined') return {}
  return JSON.parse(sessionStorage.getItem(SIGN_UP) ?? '{}') as Partial<SignUpPrefill>
}

export function useLogin(): LoginState {
  return useSyncExternalStore(
    subscribe,
    () => state,
    () => ({ status: 'loading' }) as LoginState,
  )
}

/** The signed-in user. Throws if nobody is signed in, which the gate around the app prevents. */
export function useMe(): Me {
  const login = useLogin()
  if (login.status !== 'signed-in') throw new Error('this screen is behind the gate')
  return login.user
}

/**
 * Whether the person may change this workspace's records. Viewers can't, and caregivers can only log
 * sessions.
 */
export function useCanWrite(): boolean {
  const canLog = useCanLog()
  const seesAmounts = useSeesAmounts()
  return canLog && seesAmounts
}

/** Whether the person may add people: true for anyone with write access who isn't limited to some students. */
export function useCanAddPeople(): boolean {
  const { has_all_students: hasAll } = useMe()
  return useCanWrite() && hasAll
}

/**
 * Whether the person may act for the whole workspace: connect with the other side, and close and reopen
 * months. Assistants and limited members can't.
 */
export function useActsForAll(): boolean {
  const { workspace } = useMe()
  return useCanAddPeople() && workspace?.role !== 'assistant'
}

/** Whether the person may log sessions in this workspace. Everyone except viewers can. */
export function useCanLog(): boolean {
  return useMe().workspace?.can_write !== false
}

/** Whether the person can see rates, amounts and payments. Everyone except caregivers can. */
export function useSeesAmounts(): boolean {
  return useMe().can_see_amounts
}

/** 'parent' if the current workspace is a family's, 'tutor' if it's a tutor's. */
export function useSide(): 'parent' | 'tutor' {
  return useMe().role === 'parent' ? 'parent' : 'tutor'
}

/** Starts using a login that the server has just created. */
export function acceptLogin(login: Login): void {
  localStorage.removeItem(OWED)
  noteRenewal(Date.now())
  noteActivity()
  show(login)
  channel?.postMessage('changed')
}

// Shows the login in the workspace last chosen for the account in this browser. If the server responded with
// a different workspace, requests the login again. That can happen after a sign-in, or if the request was
// sent before the user chose.
function show({ user, expires_at: expiresAt }: Login): void {
  const chosen = localStorage.getItem(CHOSEN + user.id)
  if (chosen) localStorage.setItem(CHOSEN, chosen)
  else localStorage.removeItem(CHOSEN)
  if (chosen && chosen !== user.workspace?.id) {
    if (state.status !== 'signed-in' || state.user.id !== user.id) become({ status: 'loading' })
    return void readLogin()
  }
  become({ status: 'signed-in', user, expiresAt: Date.parse(expiresAt) })
}

/**
 * Switches to another of the account's workspaces, in all tabs of this browser. Throws CallFailed if that
 * fails.
 */
export async function switchWorkspace(id: string): Promise<void> {
  const login = await call(ReadLogin, {}, { isAboutLogin: true, workspace: id })
  localStorage.setItem(CHOSEN + login.user.id, id)
  show(login)
  channel?.postMessage('changed')
}

// The account is no longer a member of this workspace, so the workspace's screens close right away and this
// device deletes its copy.
function forgetWorkspace(lost: string | undefined): void {
  for (const [key, value] of Object.entries(localStorage)) if (value === lost) localStorage.removeItem(key)
  wasRemoved = true
  become({ status: 'loading' })
  speakIn(undefined)
  forgetCopy()
}

function forgetCopy(): void {
  if (hasCopy()) void import('#platform/copy.web.ts').then(({ dropCopy }) => dropCopy())
}

const wanted = () => localStorage.getItem(CHOSEN) ?? spokenWorkspace()

const isWorkspaceLost = (error: unknown) =>
  error instanceof CallFailed && error.problem.code === 'no_such_workspace'

/** Notifies every tab that the account has left its current workspace. */
export async function leftWorkspace(): Promise<void> {
  forgetWorkspace(spokenWorkspace())
  wasRemoved = false
  channel?.postMessage('changed')
  await readLogin()
}

/** Whether the account was removed from its workspace. Returns true only once per removal. */
export function takeRemoval(): boolean {
  const was = wasRemoved
  wasRemoved = false
  return was
}

export function acceptMe(user: Me): void {
  if (state.status === 'signed-in') become({ ...state, user })
  channel?.postMessage('changed')
}

/** Reads this browser's login. Renews it first if only the long-lived cookie is left. */
export async function readLogin(): Promise<void> {
  clearTimeout(askingAgain)
  const timer = setTimeout(() => void openFromCopy(), ANSWER_TIMEOUT_MS)
  const workspace = wanted()
  const before = signOuts
  try {
    if (localStorage.getItem(OWED)) await endLogin()
    const login = await call(ReadLogin, {}, { isAboutLogin: true, workspace })
    if (before === signOuts) show(login)
  } catch (error) {
    if (isWorkspaceLost(error)) {
      forgetWorkspace(workspace)
      return readLogin()
    }
    if (error instanceof CallFailed && error.problem.status === 401) await renewLogin()
    else if (localStorage.getItem(OWED)) become({ status: 'signed-out' })
    else await openFromCopy()
    if (state.status === 'loading' || isFromCopy())
      askingAgain = setTimeout(() => void readLogin(), isFromCopy() ? ASK_AGAIN_MS : 1000)
  } finally {
    clearTimeout(timer)
  }
}

function isFromCopy(): boolean {
  return state.status === 'signed-in' && state.expiresAt === undefined
}

// The inactivity limit applies to the copy too.
async function openFromCopy(): Promise<void> {
  if (state.status !== 'loading' || !hasCopy() || localStorage.getItem(OWED)) return
  if (inactivityAt(Date.now(), lastActivity()).phase === 'expired') return become({ status: 'signed-out' })
  const user = await import('#platform/copy.web.ts')
    .then(({ openCopy }) => openCopy<Me>())
    .catch(() => undefined)
  if (user && state.status === 'loading') become({ status: 'signed-in', user, expiresAt: undefined })
}

/** Renews the login. If the server refuses, the login ends; temporary failures are retried. */
export function renewLogin(): Promise<void> {
  renewing ??= tryToRenew().finally(() => {
    renewing = undefined
  })
  return renewing
}

async function tryToRenew(): Promise<void> {
  const before = signOuts
  const lastRenewal = renewedAt()
  for (let wait = FIRST_RETRY_MS; ; wait = Math.min(wait * 2, LAST_RETRY_MS)) {
    const workspace = wanted()
    try {
      const login = await inTurn(() => renewedLogin(lastRenewal, workspace))
      // If the account no longer belongs to the requested workspace, the server renews the login anyway but
      // returns it with a different workspace.
      if (workspace && workspace !== login.user.workspace?.id) forgetWorkspace(workspace)
      return before === signOuts ? show(login) : undefined
    } catch (error) {
      if (error instanceof CallFailed && !error.isRetryable) return become({ status: 'signed-out' })
      await openFromCopy()
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

// Tabs renew one after another. Locks require TLS or localhost. Without them, tabs that renew at the same time
// all get the same login.
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? navigator.locks.request('renew-login', work) : work()
}

/**
 * Renews the login, or just reads it if another tab has renewed it in the meantime. If the server refuses,
 * reads the login that this browser has by now, because another tab may have signed in again.
 */
async function renewedLogin(lastRenewal: number, workspace: string | undefined): Promise<Login> {
  const options = { isAboutLogin: true, workspace, timeoutMs: RENEWAL_TIMEOUT_MS }
  if (renewedAt() !== lastRenewal && !activeSince(renewedAt())) {
    const login = await call(ReadLogin, {}, options).catch(() => undefined)
    if (login) return login
  }
  const startedAt = Date.now()
  try {
    const login = await call(RenewLogin, { active: activeSince(renewedAt()) }, options)
    noteRenewal(startedAt)
    return login
  } catch (error) {
    if (!(error instanceof CallFailed && error.problem.status === 401)) throw error
    return call(ReadLogin, {}, { ...options, workspace: null })
  }
}

// After a sign-in with Google, nothing is stored until the first renewal.
const renewedAt = () => Number(localStorage.getItem(RENEWED)) || openedAt

function noteRenewal(at: number): void {
  localStorage.setItem(RENEWED, String(at))
}

/**
 * Signs out on the server and in every tab, and deletes unsaved input. If the server can't be reached, just
 * logs the error (docs/product.md, section 4).
 */
export async function signOut(): Promise<void> {
  await endOnServer()
  endedElsewhere()
}

let returnPath: string | undefined

/** Sets where someone returns to who proves with Google that it's them, while a dialog is open on the page. */
export function useReturnPath(path: string): void {
  useEffect(() => {
    returnPath = path
    return () => {
      returnPath = undefined
    }
  }, [path])
}

/** Leaves for Google, to prove that it's them. They come back to this page, with what they typed. */
export async function proveWithGoogle(): Promise<void> {
  const { url } = await call(StartGoogle, {})
  noteInterruption(returnPath ?? location.pathname + location.search)
  location.assign(url)
}

/** Signs out because of inactivity. Unsaved input stays in its tab, so the same person can continue. */
export async function signOutIdle(): Promise<void> {
  await endOnServer()
  forgetActivity()
  become({ status: 'signed-out' })
  channel?.postMessage('changed')
}

/** Permanently ends the login in every tab. Doesn't call the server. */
export function endedElsewhere(): void {
  forgetActivity()
  sessionStorage.clear()
  become({ status: 'signed-out' })
  channel?.postMessage(LEFT)
}

async function endOnServer(): Promise<void> {
  // What Undo holds back needs the login. Without a network, it doesn't happen.
  await Promise.race([sendHeld(), after(FIRST_RETRY_MS * 10)])
  signOuts += 1
  localStorage.setItem(OWED, '1')
  // Otherwise, a renewal in progress could set new cookies after the old ones are deleted.
  await Promise.race([renewing, after(FIRST_RETRY_MS * 10)])
  await endLogin().catch((error: unknown) => console.error('sign-out failed', error))
}

async function after(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}

async function endLogin(): Promise<void> {
  try {
    await call(SignOut, {}, { signal: AbortSignal.timeout(8000), isAboutLogin: true })
  } catch (error) {
    // 401, 403 and 404 mean that there's nothing left to end.
    if (!(error instanceof CallFailed && [401, 403, 404].includes(error.problem.status))) throw error
  }
  localStorage.removeItem(OWED)
}

/** Starts the timers and listeners that keep the login current; called once when the app starts. */
export function watchLogin(): void {
  whenSignedOut(async () => {
    if (state.status !== 'signed-in') return false
    const isRenewed = renewLogin().then(() => state.status === 'signed-in')
    return Promise.race([isRenewed, after(RENEWAL_TIMEOUT_MS).then(() => false)])
  })
  whenWorkspaceLost(() => {
    forgetWorkspace(spokenWorkspace())
    void readLogin()
  })
  channel?.addEventListener('message', ({ data }) => {
    if (data === LEFT) sessionStorage.clear()
    void readLogin()
  })
  setInterval(() => {
    if (
      state.status === 'signed-in' &&
      state.expiresAt !== undefined &&
      state.expiresAt - Date.now() <= RENEW_WITHIN_MS
    )
      void renewLogin()
  }, CHECK_MS)
  addEventListener('online', () => {
    if (isFromCopy()) void readLogin()
  })
  if (isVisitor()) become({ status: 'signed-out' })
  else void readLogin()
}

/**
 * True if this page was requested without login cookies and the device has no record of a login. The record
 * is checked too, because a page from the browser's cache may be older than the login.
 */
function isVisitor(): boolean {
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const cameWithout = page?.serverTiming?.some(({ name }) => name === 'visitor') ?? false
  return cameWithout && !hasCopy() && !hasActivity()
}
