// The profile of whoever uses this browser: its key is kept here, and may be taken to others.
import type { Game, OwnPlayer, Player } from "../../generated/protocol";
import { forgetMe, games, logIn, me, newPlayer, players, rename, setPassword } from "../../lib/api";
import { Attempt } from "../../lib/attempt.svelte";
import { keep, settings } from "../../lib/settings.svelte";
import { load, save } from "../../lib/storage";
import { t } from "../../strings/me";

const KEY = "key";
const kept = () => load<string | null>(KEY, null);

export class Profile {
  key = $state(kept());
  own = $state.raw<OwnPlayer | null>(null);
  mine = $state.raw<Game[]>([]);
  best = $state.raw<Player[]>([]);
  /** What was done. */
  said = $state("");
  asking = new Attempt();
  /** Whether the key is good for something is not known yet. */
  finding = $state(false);
  /** The server knows it no longer; silence is not that. */
  dead = $state(false);

  constructor() {
    this.loadBest();
    if (this.key) this.find();
  }

  /** Whose key this is. */
  find = async () => {
    this.finding = true;
    await this.act(async () => {
      this.show(await me());
      return "";
    });
    this.dead = this.asking.code === "key";
    this.finding = false;
  };

  private async act(does: () => Promise<string>): Promise<void> {
    this.said = "";
    this.said = (await this.asking.make(does)) ?? "";
  }

  private show(found: OwnPlayer): void {
    this.own = found;
    if (found.key) {
      save(KEY, found.key);
      this.key = found.key;
    }
    games(10, found.player.id)
      .then((list) => {
        if (this.own === found) this.mine = list.games;
      })
      .catch(() => {});
  }

  /** The best players of this server. */
  private loadBest(): void {
    players()
      .then((found) => {
        this.best = found.players;
      })
      .catch(() => {});
  }

  make = (name: string) =>
    this.act(async () => {
      this.show(await newPlayer(name));
      settings.name ||= name;
      keep();
      return t("made");
    });

  /** A key that the server does not know must not take the place of one that it knows. */
  importKey = (key: string) =>
    this.act(async () => {
      const before = kept();
      save(KEY, key);
      try {
        this.show(await me());
      } catch (error) {
        save(KEY, before);
        throw error;
      }
      this.key = kept();
      return t("imported");
    });

  enter = (login: string, password: string) =>
    this.act(async () => {
      this.show(await logIn(login, password));
      return t("logged_in");
    });

  rename = (name: string) =>
    this.act(async () => {
      this.show(await rename(name));
      this.loadBest();
      return t("renamed", { name: this.own?.player.name ?? "" });
    });

  protect = (login: string, password: string) =>
    this.act(async () => {
      this.show(await setPassword(login, password));
      return t("password_set", { login });
    });

  /** The server forgets everything. */
  wipe = () =>
    this.act(async () => {
      await forgetMe();
      this.forgetHere();
      this.loadBest();
      return t("deleted");
    });

  /** This browser forgets the key; the profile stays where it is. */
  leave(): void {
    this.forgetHere();
    this.said = t("is_out");
  }

  forgetHere(): void {
    save(KEY, null);
    this.key = null;
    this.own = null;
    this.mine = [];
  }
}

/** What a form does instead of loading a page. */
export const submit = (does: () => Promise<void>) => (event: SubmitEvent) => {
  event.preventDefault();
  does();
};
