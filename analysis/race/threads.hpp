#pragma once
extern "C" int heist_race_interposed();
