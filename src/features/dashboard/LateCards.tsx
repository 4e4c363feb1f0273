// Dashboard cards that load only if there's something to answer.
import { lazy } from 'react'

export const PairsCard = lazy(async () => ({
  default: (await import('#features/connections/PairsCard.tsx')).PairsCard,
}))
export const RequestsCard = lazy(async () => ({
  default: (await import('#features/connections/RequestsCard.tsx')).RequestsCard,
}))
export const OfferCard = lazy(async () => ({
  default: (await import('#features/connections/OfferCard.tsx')).OfferCard,
}))
export const ScheduleQuestionsCard = lazy(async () => ({
  default: (await import('#features/schedules/ScheduleQuestionsCard.tsx')).ScheduleQuestionsCard,
}))
export const ToConfirmCard = lazy(async () => ({
  default: (await import('#features/sessions/ToConfirmCard.tsx')).ToConfirmCard,
}))
export const SentBackCard = lazy(async () => ({
  default: (await import('#features/sessions/SentBackCard.tsx')).SentBackCard,
}))
