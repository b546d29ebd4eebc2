/** Stripe accepts charges from 50 to 99,999,999 cents in US dollars; the sandbox, from one on. */
export const STRIPE_MIN_CENTS = 50;
export const PROVIDER_MAX_CENTS = 99_999_999;

/** First dash-separated segment of a UUID (specification §9). */
export const LINK_ID_PATTERN = /^[0-9a-f]{8}$/;

/** Every storage key begins with it (specification §9). */
export const STORAGE_PREFIX = 'public/';

/** Days that the money of a sale may be held, whatever HOLD_DAYS is. */
export const MAX_HOLD_DAYS = 90;

// Lengths of what people write are characters as they count them (isLongerThan).

/** Of a file, and of each folder that it lies in. */
export const MAX_FILE_NAME_BYTES = 255;
/** Of a file's name with its folders: encoded, it has to fit a header and a download link. */
export const MAX_FILE_PATH_BYTES = 512;
/** That one lies in another. */
export const MAX_FOLDERS = 16;
/** Links in one cart, and purchases of one payment. */
export const MAX_CART_LINES = 20;
export const MAX_TITLE_LENGTH = 120;
export const MAX_DESCRIPTION_LENGTH = 2_000;
export const MAX_SELLER_NAME_LENGTH = 60;
export const MAX_ABOUT_LENGTH = 500;
/** Addresses that a seller's page leads to, and the units of each. */
export const MAX_SELLER_LINKS = 5;
export const MAX_SELLER_LINK_LENGTH = 200;
/** Links that come first on a seller's page. */
export const MAX_PINNED_LINKS = 6;
export const MAX_REFUND_REASON_LENGTH = 500;
/** Of what an operator says of an act. */
export const MAX_REASON_LENGTH = 500;
/** Of what a buyer writes to whom they give something. */
export const MAX_GIFT_MESSAGE_LENGTH = 300;
export const MAX_COVER_BYTES = 10 * 1024 * 1024;
export const MAX_URL_LENGTH = 2048;
export const MAX_FILES_PER_LINK = 20;
/** Of a bundle. */
export const MIN_PARTS = 2;
export const MAX_PARTS = 20;
/** Links that are choices of one thing, and the length of their names in characters. */
export const MIN_CHOICES = 2;
export const MAX_CHOICES = 10;
export const MAX_CHOICE_LENGTH = 40;

export const MAX_KEY_NAME_LENGTH = 60;
/** Live ones, of one account. */
export const MAX_SECRET_KEYS = 20;
/** Webhooks of one account. */
export const MAX_HOOKS = 5;

export const MAX_DISCOUNT_CODE_LENGTH = 32;
/** Uses that a discount code can be limited to: they are counted at each checkout. */
export const MAX_DISCOUNT_USES = 10_000;
/** Copies that the sale of a link can be limited to: they are counted at each checkout. */
export const MAX_COPIES = 10_000;
/** Characters: a shorter key could be guessed. */
export const MIN_LICENSE_KEY_LENGTH = 8;
export const MAX_LICENSE_KEY_LENGTH = 100;
/** A request holds so many. */
export const MAX_LICENSE_KEYS_AT_ONCE = 500;
/** Devices that a license key is used on: those of one that any number may use are counted so far. */
export const MAX_LICENSE_DEVICES = 1_000;
/** Characters that programs name a device by. */
export const MAX_DEVICE_LENGTH = 100;
/** Links that a discount code can be for, where it is not for all. */
export const MAX_DISCOUNT_LINKS = 100;

export const PASSWORD_MIN_LENGTH = 8;
export const PASSWORD_MAX_LENGTH = 128;

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;
/** Characters of a search in a list of links. */
export const MAX_SEARCH_LENGTH = 100;
/** Words of a search that are used: each one costs a scan of every text examined. */
export const MAX_SEARCH_WORDS = 8;

/** Pixels of the picture that other sites show of a link. */
export const CARD_WIDTH = 1200;
export const CARD_HEIGHT = 630;
