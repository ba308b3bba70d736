"""Runs Home Assistant's own core with its MQTT integration, for a test that speaks to it line by line.

Started by a Python that has `homeassistant`:  python home_assistant_driver.py FOLDER MQTT_PORT HTTP_PORT
It takes a JSON list a line and answers each with a line of JSON:  ["states"], ["ids"],
["call", DOMAIN, SERVICE, DATA], ["calls"].
"""

import asyncio
import json
import sys
from pathlib import Path

ENTRY = {
    "created_at": "2026-01-01T00:00:00+00:00",
    "modified_at": "2026-01-01T00:00:00+00:00",
    "data": {"broker": "127.0.0.1"},
    "disabled_by": None,
    "discovery_keys": {},
    "domain": "mqtt",
    "entry_id": "the-broker",
    "minor_version": 1,
    "options": {},
    "pref_disable_new_entities": False,
    "pref_disable_polling": False,
    "source": "user",
    "subentries": [],
    "title": "Broker",
    "unique_id": None,
    "version": 1,
}


async def run(folder: Path, mqtt_port: int, http_port: int) -> None:
    # Here, so that a Python without Home Assistant can look at this file.
    from homeassistant import bootstrap, config_entries, core, loader
    from homeassistant.core_config import async_process_ha_core_config
    from homeassistant.helpers import device_registry, entity_registry
    from homeassistant.setup import async_setup_component
    from homeassistant.util.yaml import load_yaml

    ENTRY["data"]["port"] = mqtt_port
    kept = {"version": 1, "minor_version": 1, "key": "core.config_entries", "data": {"entries": [ENTRY]}}
    (folder / ".storage").mkdir(exist_ok=True)
    (folder / ".storage/core.config_entries").write_text(json.dumps(kept))
    (folder / "configuration.yaml").touch()
    hass = core.HomeAssistant(str(folder))
    hass.config.skip_pip = True
    loader.async_setup(hass)
    hass.config_entries = config_entries.ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    await async_process_ha_core_config(hass, {})
    calls = []

    @core.callback
    def note(call):
        calls.append([call.domain, call.service, dict(call.data)])

    web = {"http": {"server_host": "127.0.0.1", "server_port": http_port}}
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "http", web)
    assert await async_setup_component(hass, "mqtt", {})
    for name in (
        "light.turn_on",
        "scene.create",
        "scene.turn_on",
        "input_boolean.turn_on",
        "input_boolean.turn_off",
    ):
        hass.services.async_register(*name.split("."), note)
    if (folder / "automations.yaml").exists():
        automations = load_yaml(folder / "automations.yaml")
        assert await async_setup_component(hass, "automation", {"automation": automations})
    await hass.async_start()
    reader = asyncio.StreamReader()
    await hass.loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    print(json.dumps("ready"), flush=True)
    while line := await reader.readline():
        await hass.async_block_till_done()
        what, *more = json.loads(line)
        answer = None
        if what == "states":
            answer = {
                one.entity_id: [one.state, json.loads(json.dumps(dict(one.attributes), default=str))]
                for one in hass.states.async_all()
            }
        elif what == "ids":
            known = entity_registry.async_get(hass).entities.values()
            devices = device_registry.async_get(hass).devices.values()
            answer = [{one.entity_id: one.unique_id for one in known}, [one.name for one in devices]]
        elif what == "call":
            domain, service, data = more
            await hass.services.async_call(domain, service, data, blocking=True)
        elif what == "calls":
            answer = calls
        print(json.dumps(answer), flush=True)
    await hass.async_stop(force=True)


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
