import { Square } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { LEVEL_MS, onSilence, type Recorder } from '#platform/speech/recorder.web.ts'
import { Button } from '#platform/ui/Button.tsx'
import { useLiveResult } from './client.web.ts'
import { LiveCard } from './LiveCard.tsx'
import { MOST_SECONDS } from './voice.ts'

const BARS = 26
/** When this many seconds are left, the countdown also appears as text. */
const WARNING_SECONDS = 20

interface RecordingViewProps {
  recorder: Recorder
  /** Whether the server may transcribe while someone is still speaking. */
  isLive: boolean
  onFinish: () => void
  onDiscard: () => void
}

/**
 * A recording in progress: the time, the level, and buttons to stop or discard. Recording stops automatically
 * after a period of silence, or one second before the server's limit.
 */
export function RecordingView({ recorder, isLive, onFinish, onDiscard }: RecordingViewProps) {
  const result = useLiveResult(recorder, isLive)
  const [seconds, setSeconds] = useState(0)
  const stop = useRef<HTMLButtonElement>(null)
  const finish = useEffectEvent(onFinish)
  // On phones, the card takes the meter's place, so the stop button stays where it is.
  const isHeard = result?.is_session === true
  const left = MOST_SECONDS - 1 - seconds

  useEffect(() => {
    const start = Date.now()
    // Moves focus here because the focused record button was removed.
    stop.current?.focus()
    // Uses the clock instead of counting ticks, because timers don't fire while a phone is asleep.
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - start) / 1000)), 200)
    const end = setTimeout(() => finish(), (MOST_SECONDS - 1) * 1000)
    return () => {
      clearInterval(timer)
      clearTimeout(end)
    }
  }, [])
  useEffect(() => onSilence(recorder, () => finish()), [recorder])

  return (
    <div className="flex min-h-[calc(100dvh-272px)] flex-col items-center pt-6 text-center lg:min-h-0">
      <p
        className={`${isHeard ? 'mt-0 lg:mt-8' : 'mt-8'} flex items-center gap-2.5 font-semibold text-danger`}
        role="status"
      >
        <span className="size-2.5 rounded-full bg-danger" aria-hidden="true" />
        Recording...
      </p>
      <p
        className={`disp num mt-2 leading-none ${isHeard ? 'text-[2rem] lg:text-[4rem]' : 'text-[4rem]'}`}
        role="timer"
      >
        {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
      </p>
      <p className="mt-2 min-h-6 text-small text-ink-2" role="status">
        {left > WARNING_SECONDS
          ? 'Stops when you stop talking'
          : left > 10
            ? 'Recordings can be up to two minutes long. You have about 20 seconds left.'
            : 'Only a few seconds left.'}
      </p>
      <div className={isHeard ? 'hidden lg:block' : undefined}>
        <LevelMeter recorder={recorder} />
      </div>
      <LiveCard result={result} />
      <div className="mt-auto grid justify-items-center pb-2 lg:mt-10">
        <button type="button" className="rec on" aria-label="Stop recording" ref={stop} onClick={onFinish}>
          <Square className="i fill-current" aria-hidden="true" />
        </button>
        <p className="mt-6 text-ink-2">Tap to finish</p>
        <Button tone="quiet" className="mt-2" onClick={onDiscard}>
          Discard
        </Button>
      </div>
    </div>
  )
}

// Updates the bars outside React's state, because they change ten times a second.
function LevelMeter({ recorder }: { recorder: Recorder }) {
  const wave = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    const levels = Array.from({ length: BARS }, () => 0)
    const timer = setInterval(() => {
      const level = recorder.level()
      levels.push(level)
      levels.shift()
      // With reduced motion, there's only one bar, which fills in steps.
      wave.current?.querySelectorAll('i').forEach((bar, index) => {
        bar.style.height = isStill ? '24px' : `${8 + Math.round(60 * (levels[index] ?? 0))}px`
        bar.style.opacity = isStill ? (index < Math.round(level * 5) * (BARS / 5) ? '1' : '.25') : '1'
      })
    }, LEVEL_MS)
    return () => clearInterval(timer)
  }, [recorder])
  return (
    <div className="wave mt-6" aria-hidden="true" ref={wave}>
      {Array.from({ length: BARS }, (_, index) => (
        <i key={index} className="h-2" />
      ))}
    </div>
  )
}
